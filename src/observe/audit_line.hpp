// The audit record of an operation.
#pragma once

#include <string>

#include <tenon/audit_line.hpp>

namespace tenon::observe {

inline constexpr std::size_t max_audit_arguments = 16 * 1024;  // longer arguments are replaced by their digest

/// Appends the record as a line of JSON, without the newline. `arguments` are written if they are not null; otherwise
/// `how` decides.
void append_audit_line(std::string& out, const Operation& operation, AuditArguments how,
                       const json::object* arguments = nullptr);

/// Returns a copy of the arguments in which values are masked if their name says that they are secrets.
json::object without_secrets(const Operation& operation);

}  // namespace tenon::observe
