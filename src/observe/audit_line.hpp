// The audit record of an operation.
#pragma once

#include <string>
#include <string_view>

#include <tenon/audit_line.hpp>

#include "observe/record_writer.hpp"
#include "observe/timestamp.hpp"

namespace tenon::observe {

inline constexpr std::size_t max_audit_arguments = 16 * 1024;  // longer arguments are replaced by their digest

/// Writes audit records, and keeps its memory for the next one. Not thread-safe.
class AuditLineWriter {
 public:
    /// Returns the record as a line of JSON, without the newline. It is valid until the next call. `arguments` are
    /// written if they are not null; otherwise `how` decides.
    std::string_view write(const Operation& operation, AuditArguments how, const json::object* arguments = nullptr);
    /// Frees memory above this size.
    void keep_at_most(std::size_t bytes);

 private:
    void add_arguments(RecordWriter& out, const Operation& operation, AuditArguments how,
                       const json::object* arguments);

    std::string line_, arguments_;
    TimestampWriter time_;
};

/// Returns a copy of the arguments in which values are masked if their name says that they are secrets.
json::object without_secrets(const Operation& operation);

}  // namespace tenon::observe
