// Everything that the official conformance suite asks of a server, in one process and at one URL.
//
// usage: conformance-server [--port PORT]
#include <charconv>
#include <cstdint>
#include <cstdio>

#include "fixtures.hpp"

namespace {

struct Arguments {
    std::optional<std::uint16_t> port;  // standard input and output when there is none
    bool understood = true;
};

Arguments parse(int argc, char** argv) {
    Arguments out;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        const std::string_view value = i + 1 < argc ? argv[i + 1] : "";
        std::uint16_t port = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), port);
        if (name != "--port" || error != std::errc() || end != value.data() + value.size()) return {{}, false};
        out.port = port;
        ++i;
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments = parse(argc, argv);
    if (!arguments.understood) {
        std::fputs("usage: conformance-server [--port PORT]\n", stderr);
        return 2;
    }
    tenon::Server server{"tenon-conformance", "1.0.0", {.title = "Tenon, for the conformance suite"}};
    conformance::add_tools(server);
    conformance::add_questions(server);
    conformance::add_input_required(server);
    conformance::add_diagnostics(server);
    conformance::add_resources(server);
    conformance::add_prompts(server);
#if __has_include(<tenon/tasks.hpp>)
    conformance::add_tasks(server);
#endif
    if (arguments.port) return tenon::serve_http(server, {.port = *arguments.port});
    return tenon::serve(server);
}
