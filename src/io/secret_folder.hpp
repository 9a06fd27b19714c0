// A folder of files that only their owner can read. Files are replaced as a whole. Locks work across processes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

/// A folder for secrets. Thread-safe. All functions throw std::system_error on failure.
class SecretFolder {
 public:
    /// Checks the folder if it exists: it must belong to this user, and other users must not be able to write to it. If
    /// it does not exist, the first write creates it (0700) and its parent folders.
    explicit SecretFolder(std::string path);

    /// Returns nullopt when the file does not exist. Refuses a file that other users could have read or written.
    std::optional<std::string> read(const std::string& name) const;
    void write(const std::string& name, const std::string& text) const;
    void erase(const std::string& name) const;
    /// Takes the lock `name` without waiting. Returns null while it is taken. The lock is released with the last copy
    /// of the pointer.
    std::shared_ptr<void> try_lock(const std::string& name) const;

 private:
    void make() const;
    bool check() const;

    std::string path_;
};

}  // namespace tenon::io

#pragma GCC visibility pop
