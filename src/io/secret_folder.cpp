#include "io/secret_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "io/fd.hpp"

namespace tenon::io {
namespace {

constexpr std::size_t most_bytes = 1024 * 1024;  // of one file
constexpr mode_t owner_only = 0600;

[[noreturn]] void fail(int error, const std::string& what) {
    throw std::system_error(error, std::generic_category(), what);
}

struct stat state_of(const Fd& fd, const std::string& path) {
    struct stat state {};
    if (::fstat(fd.get(), &state) != 0) fail(errno, path);
    return state;
}

void write_all(const Fd& fd, std::string_view text, const std::string& path) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd.get(), text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail(errno, path);
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    if (::fsync(fd.get()) != 0) fail(errno, path);
}

std::string read_all(const Fd& fd, const std::string& path) {
    std::string out;
    std::array<char, 4096> buffer;
    for (;;) {
        const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(errno, path);
        if (n == 0) return out;
        out.append(buffer.data(), static_cast<std::size_t>(n));
        if (out.size() > most_bytes) fail(EFBIG, path);
    }
}

}  // namespace

SecretFolder::SecretFolder(std::string path) : path_(std::move(path)) { check(); }

// Returns false when the folder does not exist.
bool SecretFolder::check() const {
    struct stat state {};
    if (::lstat(path_.c_str(), &state) != 0) {
        if (errno == ENOENT) return false;
        fail(errno, path_);
    }
    if (!S_ISDIR(state.st_mode)) fail(ENOTDIR, path_);
    if (state.st_uid != ::geteuid() || (state.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        fail(EPERM, path_ + " can be written by others; make it yours alone: chmod 700");
    return true;
}

void SecretFolder::make() const {
    if (check()) return;
    const std::filesystem::path whole(path_);
    if (whole.has_parent_path()) std::filesystem::create_directories(whole.parent_path());
    if (::mkdir(path_.c_str(), 0700) != 0 && errno != EEXIST) fail(errno, "cannot make " + path_);
    check();
}

std::optional<std::string> SecretFolder::read(const std::string& name) const {
    const std::string path = path_ + "/" + name;
    const Fd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd && errno == ENOENT) return std::nullopt;
    if (!fd) fail(errno, path);
    const auto state = state_of(fd, path);
    if (!S_ISREG(state.st_mode) || state.st_uid != ::geteuid() || (state.st_mode & 0077) != 0)
        fail(EPERM, path + " can be read by others, and is not trusted; remove it");
    return read_all(fd, path);
}

// Writes a new file and renames it, so that readers never see a half-written file.
void SecretFolder::write(const std::string& name, const std::string& text) const {
    make();
    std::string path = path_ + "/." + name + ".XXXXXX";
    const Fd fd(::mkostemp(path.data(), O_CLOEXEC));
    if (!fd) fail(errno, path);
    try {
        if (::fchmod(fd.get(), owner_only) != 0) fail(errno, path);
        write_all(fd, text, path);
        if (::rename(path.c_str(), (path_ + "/" + name).c_str()) != 0) fail(errno, path);
    } catch (...) {
        ::unlink(path.c_str());
        throw;
    }
}

void SecretFolder::erase(const std::string& name) const {
    const std::string path = path_ + "/" + name;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail(errno, path);
}

// The lock file is never removed: otherwise two processes could hold locks on two different files of the same name.
std::shared_ptr<void> SecretFolder::try_lock(const std::string& name) const {
    make();
    const std::string path = path_ + "/" + name + ".lock";
    auto fd = std::make_shared<Fd>(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, owner_only));
    if (!*fd) fail(errno, path);
    if (::flock(fd->get(), LOCK_EX | LOCK_NB) == 0) return fd;
    if (errno == EWOULDBLOCK || errno == EINTR) return {};
    fail(errno, path);
}

}  // namespace tenon::io
