// Opens files beneath a folder. Use it wherever a client chooses the file: in resource handlers and in tools.
//
//     tenon::SafeFolder docs{"./docs"};
//     server.resource_template("docs:///{+path}", "docs",
//                              [&](const tenon::ResourceRequest& r) { return docs.read(r.var("path")); });
//
// Checking a path and opening it afterwards is not safe: between the two steps a folder can become a symbolic link that
// leads elsewhere. Here the kernel checks while it opens (openat2 with RESOLVE_BENEATH, Linux 5.6). Where it cannot,
// each part of the path is opened on its own and no symbolic link is followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

namespace tenon {

/// A regular file, open for reading. Closes it at the end. Not thread-safe.
class OpenFile {
 public:
    /// Takes ownership of a descriptor. Use SafeFolder or safe_path() to get an OpenFile.
    explicit OpenFile(int fd, std::uint64_t size) noexcept : fd_(fd), size_(size) {}
    OpenFile(OpenFile&& other) noexcept : fd_(other.release()), size_(other.size_) {}
    OpenFile& operator=(OpenFile&& other) noexcept;
    ~OpenFile();

    int fd() const noexcept { return fd_; }
    /// Gives the descriptor away: the caller closes it.
    int release() noexcept {
        const int fd = fd_;
        fd_ = -1;
        return fd;
    }
    std::uint64_t size() const noexcept { return size_; }  ///< in bytes, when the file was opened

    /// Reads the rest of the file. An error when it has more than `max_bytes`, or cannot be read.
    Result<std::string> read(std::size_t max_bytes) const;

 private:
    int fd_;
    std::uint64_t size_;
};

struct SafeFolderOptions {
    std::size_t max_file_bytes = 8 * 1024 * 1024;  ///< a larger file is not opened; the error names this limit
};

/// A folder whose files clients may name. Thread-safe: every call opens its own file.
///
/// A value is refused when it is empty, absolute, longer than 4095 bytes, or has a NUL or a ".." segment. Nothing
/// outside the folder is opened: a symbolic link is followed only when it stays inside. Only regular files are opened:
/// no folders, devices, pipes or sockets. Hard links and mounted file systems count as part of the folder. Values are
/// used as they are: percent-decode a URI first, as template variables already are.
class SafeFolder {
 public:
    /// Opens the folder; it may itself be reached through a symbolic link. Replacing it later has no effect on this
    /// object. Throws tenon::Exception when it cannot be opened.
    explicit SafeFolder(const std::string& root, SafeFolderOptions options = {});
    SafeFolder(SafeFolder&& other) noexcept;
    SafeFolder& operator=(SafeFolder&& other) noexcept;
    ~SafeFolder();

    /// Opens a file. The error is code::resource_not_found for every value that names no file in the folder, and does
    /// not tell apart why; it has neither the value nor the path of the folder in it.
    Result<OpenFile> open(std::string_view value) const;

    /// Reads a whole file. Returns nothing when the folder has no such file: a resource handler that returns this
    /// answers "not found". Throws tenon::Exception when the file is larger than max_file_bytes or cannot be read.
    std::optional<std::string> read(std::string_view value) const;

 private:
    int root_ = -1;
    SafeFolderOptions options_;
};

/// Opens the file that `value` names beneath `root`, as SafeFolder::open() does. It returns an open file and not a
/// path: a path that was checked can lead somewhere else when it is used. Keep a SafeFolder to open more than one.
Result<OpenFile> safe_path(const std::string& root, std::string_view value, SafeFolderOptions options = {});

}  // namespace tenon
