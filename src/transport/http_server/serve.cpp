// serve() for programs that choose their transport on the command line. It needs HTTP, so it is not part of
// tenon::core.
#include <tenon/transport/serve.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <span>
#include <string_view>

#include <tenon/audit.hpp>
#include <tenon/store/open.hpp>
#include <tenon/trace_exporter.hpp>
#include <tenon/transport/http_server.hpp>
#include <tenon/transport/stdio.hpp>

#include "runtime/server_impl.hpp"
#include "transport/log_to_stderr.hpp"

namespace tenon {
namespace {

std::optional<std::uint16_t> read_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, port);
    return read.ec == std::errc() && read.ptr == end ? std::optional(port) : std::nullopt;
}

int usage(const char* program) {
    std::fprintf(stderr,
                 "usage: %s [OPTION...]\n"
                 "Serves one client on standard input and output.\n"
                 "  --http PORT             serve http://127.0.0.1:PORT/mcp instead\n"
                 "  --metrics ADDRESS:PORT  also serve /metrics, /healthz and /readyz at this address\n"
                 "  --store URL             with --http: share sessions with other nodes: redis://HOST or sqlite:FILE\n"
                 "  --audit FILE            append a record of every request to this file\n"
                 "  --log text|json         the form of the log on standard error\n",
                 program);
    return 2;
}

struct CommandLine {
    bool over_http = false;
    std::optional<std::uint16_t> port = {};
    std::optional<MetricsAddress> metrics = {};
    std::string audit = {};
    std::string store = {};
    LogFormat log = LogFormat::text;
};

/// Reads the arguments one after the other. Throws Exception for a malformed address.
class ArgumentReader {
 public:
    ArgumentReader(int argc, const char* const* argv) : rest_(argv + std::min(argc, 1), argv + argc) {}

    std::optional<CommandLine> read() {
        CommandLine out;
        while (!rest_.empty())
            if (!option(next(), out)) return std::nullopt;
        return out;
    }

 private:
    std::string_view next() {
        const std::string_view out = rest_.front();
        rest_ = rest_.subspan(1);
        return out;
    }
    bool option(std::string_view name, CommandLine& out) {
        if (name == "--http") return http(out);
        if (rest_.empty()) return false;
        const std::string_view value = next();
        if (name == "--store") return !(out.store = value).empty();
        if (name == "--audit") return !(out.audit = value).empty();
        if (name == "--metrics") return (out.metrics = MetricsAddress::parse(value)).has_value();
        if (name != "--log" || (value != "text" && value != "json")) return false;
        out.log = value == "json" ? LogFormat::json : LogFormat::text;
        return true;
    }
    bool http(CommandLine& out) {
        out.over_http = true;
        if (rest_.empty() || std::string_view(rest_.front()).starts_with("--")) return true;
        out.port = read_port(next());
        return out.port.has_value();
    }

    std::span<const char* const> rest_;
};

int serve_stdio_with(Server& server, const std::optional<MetricsAddress>& metrics) {
    if (!metrics) return serve_stdio(server);
    const MetricsListener listener(server, *metrics);
    server.impl()->note(LogLevel::notice, "metrics at " + listener.url());
    return serve_stdio(server);
}

// A plain pointer: the server keeps the functions that log, so a shared one would keep the server for ever.
LogSink noting(Server& server) {
    return [impl = server.impl().get()](const LogRecord& record) { impl->note(record.level, record.message); };
}

std::shared_ptr<Store> store_of(const std::string& url, Server& server) {
    StoreOptions options;
    options.log = [impl = server.impl()](LogLevel level, std::string_view text) { impl->note(level, text); };
    if (const auto& metrics = server.impl()->metrics())
        options.observe = metrics->store_observer(url.substr(0, url.find(':')));
    auto opened = open_store(url, std::move(options));
    if (!opened) throw Exception({opened.error().code, "--store: " + opened.error().message});
    return *std::move(opened);
}

// The failures of the audit are lines of the server's log.
std::shared_ptr<AuditLog> audit_of(const std::string& path, Server& server) {
    return std::make_shared<AuditLog>(AuditOptions{.path = path, .log = noting(server)});
}

int serve_as(Server& server, const CommandLine& line, HttpOptions options) {
    if (!line.audit.empty()) server.impl()->audit_with(audit_of(line.audit, server));
    if (!line.over_http) return serve_stdio_with(server, line.metrics);
    if (line.port) options.port = *line.port;
    if (line.metrics) options.metrics = line.metrics;
    if (line.store.empty()) return serve_http(server, options);
    options.store = store_of(line.store, server);
    const int status = serve_http(server, options);
    options.store->close();
    return status;
}

int serve(Server& server, int argc, const char* const* argv, HttpOptions options, bool has_default_port) {
    try {
        const auto line = ArgumentReader(argc, argv).read();
        if (!line || (line->over_http && !line->port && !has_default_port)) return usage(argv[0]);
        if (!line->store.empty() && !line->over_http)
            throw Exception({code::invalid_params, "--store needs --http: only HTTP servers share sessions"});
        server.impl()->default_log(log_to_stderr(line->log), least_stderr_level);
        if (line->metrics || options.metrics) server.impl()->default_metrics();
        const auto traces = TraceExporter::from_environment(noting(server));
        std::shared_ptr<void> counted;
        if (traces) {
            traces->charge_to(server);
            server.impl()->observe_with(traces->observer());
            if (const auto& metrics = server.impl()->metrics()) counted = traces->add_to(*metrics);
        }
        return serve_as(server, *line, std::move(options));
    } catch (const Exception& e) {  // of --metrics, --audit or --store
        std::fprintf(stderr, "%s: %s\n", argv[0], e.what());
        return 2;
    }
}

}  // namespace

int serve(Server& server, int argc, const char* const* argv) { return serve(server, argc, argv, HttpOptions{}, false); }

int serve(Server& server, int argc, const char* const* argv, HttpOptions options) {
    return serve(server, argc, argv, std::move(options), true);
}

}  // namespace tenon
