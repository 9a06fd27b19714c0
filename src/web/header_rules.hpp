// Checks that the headers of a request without a session (2026-07-28) match its body. Proxies may have acted on the
// headers, so a request whose headers differ from its body is refused. Also checks MCP-Protocol-Version of the other
// requests.
#pragma once

#include <optional>
#include <span>

#include "core/server/features.hpp"
#include "framing/http_fields.hpp"
#include "jsonrpc/message.hpp"

namespace tenon::web {

/// Returns whether check_headers() applies to this request: its `_meta` describes the client, or MCP-Protocol-Version
/// names a revision in which `_meta` must do so.
bool has_header_rules(const jsonrpc::Request& request, const framing::HttpFields& fields);

/// Returns whether MCP-Protocol-Version names a revision without sessions.
bool names_modern_revision(const framing::HttpFields& fields);

/// Checks MCP-Protocol-Version of a request that belongs to a session. Returns error -32022 for an unknown revision or
/// several values. The header may be missing.
std::optional<Error> check_version_header(const framing::HttpFields& fields);

/// Returns the parameters that the tool of a tools/call wants in headers. Empty for other methods and unknown tools.
std::span<const core::MirroredParameter> mirrored_parameters(const jsonrpc::Request& request,
                                                             const core::Features& features);

/// Returns an error that names the wrong header, or nullopt. The code is -32602 when the body does not name its
/// revision, -32022 when that revision is not supported, and otherwise -32020.
std::optional<Error> check_headers(const jsonrpc::Request& request, const framing::HttpFields& fields,
                                   std::span<const core::MirroredParameter> mirrored);

}  // namespace tenon::web
