// Features that the protocol deprecates: sampling, roots, logging, the transport HTTP+SSE, and dynamic client
// registration. They work, and stay as long as clients and servers use them. New servers should not use them.
//
//   sampling (2026-07-28): call the API of a model provider. Context::sample, ClientOptions::on_sample
//   roots (2026-07-28): use arguments of tools, or configuration. Context::roots, ClientOptions::on_roots
//   logging (2026-07-28): use stderr, or OpenTelemetry. Context::log, Server::log, ClientOptions::on_log
//   dynamic registration (2026-07-28): publish a document at SignInOptions::client_id. It is used only if the host
//     gives no other identity
//   the transport HTTP+SSE (2025-03-26): use Streamable HTTP. `old_http_sse` of servers and clients
//
// Define TENON_WARN_DEPRECATED_FEATURES before you include Tenon, to get a compiler warning where you call one. The
// warnings are off by default: a server that supports today's clients needs some of these features, and its build
// should stay silent. Options cannot have a warning: g++ would also warn about implicit constructors.
#pragma once

#ifdef TENON_WARN_DEPRECATED_FEATURES
#define TENON_DEPRECATED_FEATURE(instead) [[deprecated("tenon: the protocol deprecates this feature: " instead)]]
#else
#define TENON_DEPRECATED_FEATURE(instead)
#endif

#define TENON_DEPRECATED_SAMPLING TENON_DEPRECATED_FEATURE("call the API of a model provider instead of sampling")
#define TENON_DEPRECATED_ROOTS TENON_DEPRECATED_FEATURE("take folders as arguments of tools or as configuration")
#define TENON_DEPRECATED_LOGGING TENON_DEPRECATED_FEATURE("write to stderr, or use OpenTelemetry")
