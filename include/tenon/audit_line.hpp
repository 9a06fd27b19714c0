// The audit record of an operation, as a line of JSON. AuditLog writes such lines (audit.hpp).
#pragma once

#include <string>

#include <tenon/operation.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// What an audit record says about the arguments of a call.
enum class AuditArguments {
    digest,    ///< their SHA-256: shows whether two calls had the same arguments, and tells nothing else
    redacted,  ///< the arguments; "***" for secrets: see AuditOptions::redact and mask_secrets() in wire_tap.hpp
    omitted,
};

/// Returns the record of an operation as a line of JSON, without the newline. Members without a value are left out:
/// `time`, `side` ("server" or "client"), `kind` ("task": the end of a task), `method`, `name`, `outcome`, `took_us`,
/// `id`, `task` (the id of the task that the request started, or that has ended), `principal`, `session` (a digest: the
/// id itself is a secret), `client`, `client_version`, `address`, `transport`, `revision`, `error`, `http_status`,
/// `reason`, `limit` (the name of the limit that was hit), `arguments` or `arguments_sha256`, `request_bytes`,
/// `response_bytes`, `trace_id`, `span_id`, `parent_span_id`.
///
/// `reason` is a text of Tenon and never of a handler. Hidden characters are escaped, and secrets in all texts are
/// masked by the rules of mask_secrets() in wire_tap.hpp.
std::string audit_line(const Operation& operation, AuditArguments arguments = AuditArguments::digest);

}  // namespace tenon

#pragma GCC visibility pop
