// AuditLog: a record of every request that a server received, or of every call that a client made. One line of JSON for
// each, also for refused ones.
//
//     auto audit = std::make_shared<tenon::AuditLog>(tenon::AuditOptions{.path = "/var/log/weather/audit.jsonl"});
//     tenon::Server server("weather", "1.0", {.audit = audit});
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/audit_line.hpp>
#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/operation.hpp>

#pragma GCC visibility push(default)

namespace tenon {
namespace base {
class MemoryAccount;
}

/// What happens while records cannot be written: the disk is full, or slower than the calls.
enum class AuditFailure {
    go_on,   ///< calls are served, records are lost and counted, and the log says so
    refuse,  ///< requests are refused until records can be written again
};

/// Options of an AuditLog.
struct AuditOptions {
    std::string path = {};  ///< of the file, which is created with mode 0600; empty: only `callback` gets the records
    std::uint64_t max_file_bytes = 64 * 1024 * 1024;  ///< a longer file is renamed to PATH.1, PATH.1 to PATH.2, ...
    std::size_t kept_files = 8;                       ///< renamed files that are kept; older ones are deleted
    AuditArguments arguments = AuditArguments::digest;
    /// Changes the arguments of a record, with AuditArguments::redacted. Runs after Tenon has masked secrets by the
    /// rules of mask_secrets() in wire_tap.hpp. Runs on any thread, also on several at once. If it throws, the record
    /// has no arguments.
    std::function<void(const Operation&, json::object& arguments)> redact = {};
    /// Gets each record, as a line of JSON without the newline, on the thread on which the operation ended. Must be
    /// quick and must not block. An exception counts as a record that could not be written.
    std::function<void(std::string_view line)> callback = {};
    AuditFailure on_failure = AuditFailure::go_on;
    /// Records that wait for the file. More are lost (`go_on`), or requests are refused (`refuse`). They are charged to
    /// Limits::memory_budget of the first server that uses the log.
    std::size_t max_queued_bytes = 4 * 1024 * 1024;
    Duration close_time = std::chrono::seconds(5);  ///< how long the destructor waits for the file
    /// Gets reports of failures. Empty: standard error gets them.
    LogSink log = {};
};

/// Writes audit records. Thread-safe. A thread of its own writes the file, so no call waits for the disk. A record is
/// handed to the system at once, but not synced to the disk. audit_line() says what a record contains.
class AuditLog {
 public:
    /// Throws Exception if the file cannot be opened.
    explicit AuditLog(AuditOptions options);
    ~AuditLog();  ///< writes what is queued
    AuditLog(const AuditLog&) = delete;
    AuditLog& operator=(const AuditLog&) = delete;

    /// Adds the record of an operation. A Server or Client that has this AuditLog calls it.
    void add(const Operation& operation) noexcept;
    /// Returns whether requests must be refused: see AuditFailure::refuse.
    bool refuses() const noexcept;
    /// Returns the number of records that were lost.
    std::uint64_t lost() const noexcept;
    /// Waits until all records so far are written, or cannot be. Returns false after `time`.
    bool flush(Duration time) const;

 private:
    friend class Observers;
    void charge_to(std::shared_ptr<base::MemoryAccount> account);

    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tenon

#pragma GCC visibility pop
