// What the headers of a request without a session (2026-07-28) must repeat of its body. Others on the way may have
// acted on the headers, so a request whose headers say anything else than its body is refused.
#pragma once

#include <optional>
#include <span>

#include "core/server/features.hpp"
#include "framing/http_fields.hpp"
#include "jsonrpc/message.hpp"

namespace tenon::web {

/// Whether the rules below are for this request: its body says who sends it, or its MCP-Protocol-Version names a
/// revision in which every body does.
bool has_header_rules(const jsonrpc::Request& request, const framing::HttpFields& fields);

/// Whether MCP-Protocol-Version names a revision in which every request stands alone.
bool names_lone_revision(const framing::HttpFields& fields);

/// The parameters that the tool of a tools/call wants in headers; none for other methods and unknown tools.
std::span<const core::MirroredParameter> mirrored_parameters(const jsonrpc::Request& request,
                                                             const core::Features& features);

/// What is wrong, naming the header: -32020, or -32602 when the body does not say its revision, or -32022.
std::optional<Error> check_headers(const jsonrpc::Request& request, const framing::HttpFields& fields,
                                   std::span<const core::MirroredParameter> mirrored);

}  // namespace tenon::web
