// Files that only their owner can read, each written as a whole, and locks that hold across processes.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tenon::io {

/// Thread-safe. What fails throws std::system_error.
class SecretFolder {
 public:
    /// The folder (0700), and those above it, are made when something is written. One that is there must be our own,
    /// and nobody else may be able to write to it.
    explicit SecretFolder(std::string path);

    /// Nothing when it is not there. One that others could have read or written is refused.
    std::optional<std::string> read(const std::string& name) const;
    void write(const std::string& name, const std::string& text) const;
    void erase(const std::string& name) const;
    /// Never waits; empty while somebody has it.
    std::shared_ptr<void> try_lock(const std::string& name) const;

 private:
    void make() const;
    bool check() const;

    std::string path_;
};

}  // namespace tenon::io
