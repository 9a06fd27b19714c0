#include <tenon/safe_path.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "io/beneath.hpp"

namespace tenon {
namespace {

Error not_found() {
    return {code::resource_not_found,
            "There is no such file: the folder has no regular file of this name, or a link leads out of the folder."};
}

// The errors that mean that the folder has no such file.
bool means_not_found(int error) {
    return error == ENOENT || error == ENOTDIR || error == EXDEV || error == ELOOP || error == ENAMETOOLONG ||
           error == ENXIO || error == ENODEV || error == EISDIR || error == EINVAL;
}

Error cannot(std::string_view what, int error) {
    return {code::internal_error,
            "The file cannot be " + std::string(what) + ": " + std::generic_category().message(error) + "."};
}

Error too_large(std::size_t limit) {
    return {code::server_error, "The file is too large: the limit is " + std::to_string(limit) +
                                    " bytes. Raise SafeFolderOptions::max_file_bytes to allow more."};
}

Error too_many(std::size_t limit) {
    return {code::server_error, "The folder has more than " + std::to_string(limit) + " entries."};
}

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

FolderEntry::Kind kind_of(int folder, const char* name) {
    struct stat state {};
    if (::fstatat(folder, name, &state, AT_SYMLINK_NOFOLLOW) != 0) return FolderEntry::Kind::other;
    if (S_ISREG(state.st_mode)) return FolderEntry::Kind::file;
    if (S_ISDIR(state.st_mode)) return FolderEntry::Kind::folder;
    return S_ISLNK(state.st_mode) ? FolderEntry::Kind::link : FolderEntry::Kind::other;
}

}  // namespace

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(size_, other.size_);
    return *this;
}

OpenFile::~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
}

Result<std::string> OpenFile::read(std::size_t max_bytes) const {
    std::string text;
    std::array<char, 16 * 1024> buffer;
    for (;;) {
        const ssize_t n = ::read(fd_, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return cannot("read", errno);
        if (n == 0) return text;
        if (static_cast<std::size_t>(n) > max_bytes - text.size()) return too_large(max_bytes);
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

SafeFolder::SafeFolder(const std::string& root, SafeFolderOptions options)
    : root_(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)), options_(options) {
    if (root_ < 0)
        throw Exception(
            {code::invalid_params, "cannot open the folder " + root + ": " + std::generic_category().message(errno)});
}

SafeFolder::SafeFolder(SafeFolder&& other) noexcept : root_(std::exchange(other.root_, -1)), options_(other.options_) {}

SafeFolder& SafeFolder::operator=(SafeFolder&& other) noexcept {
    std::swap(root_, other.root_);
    std::swap(options_, other.options_);
    return *this;
}

SafeFolder::~SafeFolder() {
    if (root_ >= 0) ::close(root_);
}

Result<OpenFile> SafeFolder::open(std::string_view value) const {
    if (!io::is_beneath(value)) return not_found();
    io::Fd fd = io::open_beneath(root_, std::string(value));
    if (!fd) return means_not_found(errno) ? not_found() : cannot("opened", errno);
    struct stat state {};
    if (::fstat(fd.get(), &state) != 0) return cannot("opened", errno);
    if (!S_ISREG(state.st_mode)) return not_found();
    const auto size = static_cast<std::uint64_t>(state.st_size);
    if (size > options_.max_file_bytes) return too_large(options_.max_file_bytes);
    return OpenFile(fd.release(), size);
}

std::optional<std::string> SafeFolder::read(std::string_view value) const {
    auto file = open(value);
    if (!file && file.error().code == code::resource_not_found) return std::nullopt;
    if (!file) throw Exception(file.error());
    auto text = file->read(options_.max_file_bytes);
    if (!text) throw Exception(text.error());
    return *std::move(text);
}

Result<std::vector<FolderEntry>> SafeFolder::list(std::string_view value, std::size_t max_entries) const {
    const std::string path(value.empty() ? "." : value);
    if (!io::is_beneath(path)) return not_found();
    io::Fd fd = io::open_beneath(root_, path);
    if (!fd) return means_not_found(errno) ? not_found() : cannot("opened", errno);
    const std::unique_ptr<DIR, CloseFolder> folder(::fdopendir(fd.get()));
    if (!folder) return errno == ENOTDIR ? not_found() : cannot("opened", errno);
    (void)fd.release();  // the DIR owns it
    std::vector<FolderEntry> out;
    while (const dirent* entry = ::readdir(folder.get())) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (out.size() == max_entries) return too_many(max_entries);
        out.push_back({std::string(name), kind_of(::dirfd(folder.get()), entry->d_name)});
    }
    std::ranges::sort(out, {}, &FolderEntry::name);
    return out;
}

Result<OpenFile> safe_path(const std::string& root, std::string_view value, SafeFolderOptions options) {
    try {
        return SafeFolder(root, options).open(value);
    } catch (const Exception&) {
        // Handlers pass this error to clients, so it does not contain the path of the folder.
        return Error{code::internal_error, "The folder of this file cannot be opened."};
    }
}

}  // namespace tenon
