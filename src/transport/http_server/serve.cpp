// serve() for programs that choose their transport on the command line. It needs HTTP, so it is not part of
// tenon::core.
#include <tenon/transport/serve.hpp>

#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>

#include <tenon/transport/http_server.hpp>
#include <tenon/transport/stdio.hpp>

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
                 "usage: %s                 serve one client on standard input and output\n"
                 "       %s --http PORT     serve http://127.0.0.1:PORT/mcp\n",
                 program, program);
    return 2;
}

}  // namespace

int serve(Server& server, int argc, const char* const* argv) {
    if (argc == 2) return usage(argv[0]);  // `--http` alone: this function has no default port
    return serve(server, argc, argv, HttpOptions{});
}

int serve(Server& server, int argc, const char* const* argv, HttpOptions options) {
    if (argc <= 1) return serve_stdio(server);
    const bool over_http = std::string_view(argv[1]) == "--http";
    if (over_http && argc == 2) return serve_http(server, options);
    const auto port = over_http && argc == 3 ? read_port(argv[2]) : std::nullopt;
    if (!port) return usage(argv[0]);
    options.port = *port;
    return serve_http(server, options);
}

}  // namespace tenon
