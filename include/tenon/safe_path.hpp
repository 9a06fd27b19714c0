// Opens files beneath a folder. Use it wherever a client chooses the file: in resource handlers and in tools.
//
//     tenon::SafeFolder docs{"./docs"};
//     server.resource_template("docs:///{+path}", "docs",
//                              [&](const tenon::ResourceRequest& r) { return docs.read(r.var("path")); });
//
// Checking a path first and opening it afterwards is not safe: between the two steps, a folder can be replaced by a
// symbolic link that leads elsewhere. Here the kernel checks while it opens the file (openat2 with RESOLVE_BENEATH,
// Linux 5.6). On older kernels each part of the path is opened separately, and no symbolic link is followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// A regular file, open for reading. The destructor closes it. Not thread-safe.
class OpenFile {
 public:
    /// Takes ownership of a descriptor. Use SafeFolder or safe_path() to get an OpenFile.
    explicit OpenFile(int fd, std::uint64_t size) noexcept : fd_(fd), size_(size) {}
    OpenFile(OpenFile&& other) noexcept : fd_(other.release()), size_(other.size_) {}
    OpenFile& operator=(OpenFile&& other) noexcept;
    ~OpenFile();

    int fd() const noexcept { return fd_; }
    /// Returns the descriptor and gives up its ownership: the caller must close it.
    int release() noexcept {
        const int fd = fd_;
        fd_ = -1;
        return fd;
    }
    std::uint64_t size() const noexcept { return size_; }  ///< in bytes, at the time when the file was opened

    /// Reads the rest of the file. Fails when the rest is larger than `max_bytes`, or cannot be read.
    Result<std::string> read(std::size_t max_bytes) const;

 private:
    int fd_;
    std::uint64_t size_;
};

struct SafeFolderOptions {
    std::size_t max_file_bytes = 8 * 1024 * 1024;  ///< larger files are not opened; the error names this limit
};

/// One entry of a folder.
struct FolderEntry {
    enum class Kind { file, folder, link, other };
    std::string name;
    Kind kind = Kind::other;
};

/// A folder whose files clients may name. Thread-safe: every call opens its own file.
///
/// The name that a client sends is called a value here. A value is refused when it is empty, absolute, longer than 4095
/// bytes, or contains a NUL or a ".." segment. Nothing outside the folder is opened: a symbolic link is followed only
/// when it stays inside. Only regular files are opened: no folders, devices, pipes or sockets. Hard links and mounted
/// file systems count as part of the folder. Values are not decoded: percent-decode a URI first. The variables of a
/// resource template are decoded already.
class SafeFolder {
 public:
    /// Opens the folder. The path to the folder may contain symbolic links. Replacing the folder later has no effect on
    /// this object. Throws tenon::Exception when the folder cannot be opened.
    explicit SafeFolder(const std::string& root, SafeFolderOptions options = {});
    SafeFolder(SafeFolder&& other) noexcept;
    SafeFolder& operator=(SafeFolder&& other) noexcept;
    ~SafeFolder();

    /// Opens a file. Every value that does not name a file in the folder gives the same error,
    /// code::resource_not_found. The error does not contain the reason, the value or the path of the folder.
    Result<OpenFile> open(std::string_view value) const;

    /// Reads a whole file. Returns nullopt when the folder has no such file; a resource handler that returns nullopt
    /// answers "not found". Throws tenon::Exception when the file is larger than max_file_bytes or cannot be read.
    std::optional<std::string> read(std::string_view value) const;

    /// Lists a folder, sorted by name. An empty value means the folder itself. Fails when there is no such folder, and
    /// when it has more than `max_entries` entries.
    Result<std::vector<FolderEntry>> list(std::string_view value, std::size_t max_entries = 10'000) const;

 private:
    int root_ = -1;
    SafeFolderOptions options_;
};

/// Opens the file that `value` names beneath `root`, as SafeFolder::open() does. Returns an open file instead of a
/// checked path, because a path can lead somewhere else by the time it is used. To open several files, keep a
/// SafeFolder.
Result<OpenFile> safe_path(const std::string& root, std::string_view value, SafeFolderOptions options = {});

}  // namespace tenon

#pragma GCC visibility pop
