// The names in `_meta` that the protocol reserves.
#pragma once

#include <string_view>

namespace tenon::protocol::meta_key {

inline constexpr std::string_view version = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view client_capabilities = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view client_info = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view server_info = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view log_level = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view subscription = "io.modelcontextprotocol/subscriptionId";
// Reserved without a prefix, for OpenTelemetry: see TraceContext.
inline constexpr std::string_view traceparent = "traceparent";
inline constexpr std::string_view tracestate = "tracestate";
inline constexpr std::string_view baggage = "baggage";

}  // namespace tenon::protocol::meta_key
