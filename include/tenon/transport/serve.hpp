// serve(): runs a server. Returns the exit status for main().
#pragma once

#include <tenon/server.hpp>

#pragma GCC visibility push(default)

namespace tenon {

struct HttpOptions;  // transport/http_server.hpp

/// Serves one client on standard input and output; see serve_stdio().
int serve(Server& server);

/// Serves on standard input and output when there are no arguments. With the arguments `--http PORT`, serves Streamable
/// HTTP at http://127.0.0.1:PORT/mcp; see serve_http(). `--audit FILE` writes an audit log (audit.hpp), and `--log
/// json` writes the log as lines of JSON, unless ServerOptions::log is set. For all other arguments, prints a usage
/// text to stderr and returns 2. Needs the target tenon::http.
///
/// `--metrics ADDRESS:PORT` also serves /metrics, /healthz and /readyz at that address, with both transports: see
/// MetricsListener. With OTEL_EXPORTER_OTLP_ENDPOINT in the environment, traces are exported: see TraceExporter.
int serve(Server& server, int argc, const char* const* argv);

/// The same, with options for HTTP: authentication, TLS, the address. `--http PORT` replaces HttpOptions::port, and
/// `--http` alone keeps it. Needs the target tenon::http.
int serve(Server& server, int argc, const char* const* argv, HttpOptions options);

}  // namespace tenon

#pragma GCC visibility pop
