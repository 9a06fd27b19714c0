// Features that the protocol deprecates. They work, and stay as long as clients and servers use them. New code should
// do without.
//
// | feature, deprecated since         | instead                                | in Tenon |
// |-----------------------------------|----------------------------------------|-------------------------------------------|
// | sampling, 2026-07-28              | call the API of a model provider       | Context::sample,
// ClientOptions::on_sample | | roots, 2026-07-28                 | arguments of tools, or configuration   |
// Context::roots, ClientOptions::on_roots   | | logging, 2026-07-28               | stderr, or OpenTelemetry |
// Context::log, Server::log, on_log         | | dynamic registration, 2026-07-28  | a document at
// SignInOptions::client_id | only if no other identity is given        | | the transport HTTP+SSE, 2025-03-26|
// Streamable HTTP                        | old_http_sse, in both HttpOptions         |
//
// Define TENON_WARN_DEPRECATED_FEATURES before you include Tenon, to get a compiler warning where you call one. The
// warnings are off by default: a server that supports today's clients needs some of these features, and its build
// should stay silent. Options cannot have a warning: g++ would also warn about constructors that nobody wrote.
#pragma once

#ifdef TENON_WARN_DEPRECATED_FEATURES
#define TENON_DEPRECATED_FEATURE(instead) [[deprecated("tenon: the protocol deprecates this feature: " instead)]]
#else
#define TENON_DEPRECATED_FEATURE(instead)
#endif

#define TENON_DEPRECATED_SAMPLING TENON_DEPRECATED_FEATURE("call the API of a model provider instead of sampling")
#define TENON_DEPRECATED_ROOTS TENON_DEPRECATED_FEATURE("take folders as arguments of tools or as configuration")
#define TENON_DEPRECATED_LOGGING TENON_DEPRECATED_FEATURE("write to stderr, or use OpenTelemetry")
