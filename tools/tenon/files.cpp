#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "fd.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t most_bytes = 64 * 1024 * 1024;
constexpr std::size_t longest_name = 80;

Error last_error() { return {code::internal_error, std::strerror(errno)}; }

}  // namespace

Result<std::string> read_whole_input(int fd) {
    std::string out;
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n == 0) return out;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return last_error();
        out.append(buffer.data(), static_cast<std::size_t>(n));
        if (out.size() > most_bytes) return Error{code::internal_error, "it is longer than 64 MiB"};
    }
}

Result<std::string> read_whole_file(const std::string& path) {
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) return last_error();
    return read_whole_input(file.get());
}

namespace {

Result<void> write_all(const Fd& file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(file.get(), bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return last_error();
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

// Some file systems report only at fsync() or close() that they are full. Pipes and devices do not support fsync().
Result<void> finish(Fd& file) {
    if (::fsync(file.get()) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) return last_error();
    if (::close(file.release()) != 0 && errno != EINTR) return last_error();
    return {};
}

Result<void> write_new(const std::string& path, std::string_view bytes, mode_t mode) {
    Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
    if (!file) return last_error();
    auto written = write_all(file, bytes);
    if (written) written = finish(file);
    if (!written) ::unlink(path.c_str());  // no file is better than half a file
    return written;
}

// Writes to a pipe or a device, which has no old content to lose.
Result<void> write_into(const std::string& path, std::string_view bytes) {
    Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file) return last_error();
    auto written = write_all(file, bytes);
    return written ? finish(file) : written;
}

std::string fresh_name(const std::string& path) { return path + ".tenon-" + std::to_string(::getpid()); }

// Writes a new file, and renames it to replace the old one when it is complete.
Result<void> replace(const std::string& path, std::string_view bytes, mode_t mode) {
    const std::string fresh = fresh_name(path);
    if (auto made = write_new(fresh, bytes, mode); !made) return made;
    if (::rename(fresh.c_str(), path.c_str()) == 0) return {};
    const Error why = last_error();
    ::unlink(fresh.c_str());
    return why;
}

}  // namespace

Result<void> make_file(const std::string& path, std::string_view bytes, Existing existing) {
    constexpr mode_t usual = 0666;
    if (existing == Existing::refuse) return write_new(path, bytes, usual);
    struct stat old {};
    if (::lstat(path.c_str(), &old) != 0) return replace(path, bytes, usual);
    return S_ISREG(old.st_mode) ? replace(path, bytes, old.st_mode & 0777U) : write_into(path, bytes);
}

Result<void> can_make_file(const std::string& path) {
    struct stat old {};
    if (::lstat(path.c_str(), &old) == 0 && !S_ISREG(old.st_mode)) {
        if (S_ISDIR(old.st_mode)) return Error{code::internal_error, "it is a folder"};
        if (S_ISLNK(old.st_mode)) return Error{code::internal_error, "it is a symbolic link, which is not followed"};
        return ::access(path.c_str(), W_OK) == 0 ? Result<void>() : last_error();
    }
    const std::string trial = fresh_name(path);
    if (auto made = write_new(trial, {}, 0600); !made) return made;
    ::unlink(trial.c_str());
    return {};
}

std::string safe_file_name(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
        const char kept = plain ? c : '_';
        if (out.empty() && (kept == '.' || kept == '-' || kept == '_')) continue;  // hidden file, or like an option
        if (!(kept == '_' && out.ends_with('_'))) out += kept;
        if (out.size() == longest_name) break;
    }
    while (out.ends_with('_') || out.ends_with('.')) out.pop_back();
    return out.empty() ? "content" : out;
}

std::string extension_of(std::string_view mime_type) {
    struct Known {
        std::string_view type, extension;
    };
    static constexpr std::array known = {
        Known{"image/png", ".png"},       Known{"image/jpeg", ".jpg"},      Known{"image/gif", ".gif"},
        Known{"image/webp", ".webp"},     Known{"image/svg+xml", ".svg"},   Known{"audio/wav", ".wav"},
        Known{"audio/x-wav", ".wav"},     Known{"audio/mpeg", ".mp3"},      Known{"audio/ogg", ".ogg"},
        Known{"audio/flac", ".flac"},     Known{"text/plain", ".txt"},      Known{"text/html", ".html"},
        Known{"text/markdown", ".md"},    Known{"text/csv", ".csv"},        Known{"application/json", ".json"},
        Known{"application/pdf", ".pdf"}, Known{"application/zip", ".zip"}, Known{"video/mp4", ".mp4"}};
    const std::string_view bare = mime_type.substr(0, mime_type.find(';'));
    for (const Known& row : known)
        if (row.type == bare) return std::string(row.extension);
    return mime_type.starts_with("text/") ? ".txt" : ".bin";
}

}  // namespace tenon::program
