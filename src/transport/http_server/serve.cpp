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
                 "  --http PORT        serve http://127.0.0.1:PORT/mcp instead\n"
                 "  --audit FILE       append a record of every request to this file\n"
                 "  --log text|json    the form of the log on standard error\n",
                 program);
    return 2;
}

struct CommandLine {
    bool over_http = false;
    std::optional<std::uint16_t> port = {};
    std::string audit = {};
    LogFormat log = LogFormat::text;
};

/// Reads the arguments one after the other.
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
        if (name == "--audit") return !(out.audit = value).empty();
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

int serve(Server& server, const CommandLine& line, HttpOptions options) {
    server.impl()->default_log(log_to_stderr(line.log));
    try {
        if (!line.audit.empty())
            server.impl()->audit_with(std::make_shared<AuditLog>(AuditOptions{.path = line.audit}));
    } catch (const Exception& e) {
        server.impl()->note(LogLevel::error, e.what());
        return 1;
    }
    if (!line.over_http) return serve_stdio(server);
    if (line.port) options.port = *line.port;
    return serve_http(server, options);
}

}  // namespace

int serve(Server& server, int argc, const char* const* argv) {
    const auto line = ArgumentReader(argc, argv).read();
    if (!line || (line->over_http && !line->port)) return usage(argv[0]);  // this function has no default port
    return serve(server, *line, HttpOptions{});
}

int serve(Server& server, int argc, const char* const* argv, HttpOptions options) {
    const auto line = ArgumentReader(argc, argv).read();
    return line ? serve(server, *line, std::move(options)) : usage(argv[0]);
}

}  // namespace tenon
