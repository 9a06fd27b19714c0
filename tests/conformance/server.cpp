// Everything that the official conformance suite requires of a server, in one process and at one URL.
//
// usage: conformance-server [--port PORT [--store URL]]     over HTTP; without a port, over standard input and output
#include <charconv>
#include <cstdint>
#include <cstdio>

#include <tenon/store/open.hpp>

#include "fixtures.hpp"

namespace {

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(port) : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
    const bool shared = argc == 5 && std::string_view(argv[3]) == "--store";
    const bool over_http = (argc == 3 || shared) && std::string_view(argv[1]) == "--port";
    const auto port = over_http ? parse_port(argv[2]) : std::nullopt;
    tenon::Result<std::shared_ptr<tenon::Store>> store = std::shared_ptr<tenon::Store>();
    if (shared) store = tenon::open_store(argv[4]);
    if ((argc != 1 && !port) || !store) {
        std::fputs("usage: conformance-server [--port PORT [--store URL]]\n", stderr);
        return 2;
    }
    tenon::Server server{"tenon-conformance", "1.0.0", {.title = "Tenon, for the conformance suite"}};
    conformance::add_tools(server);
    conformance::add_questions(server);
    conformance::add_input_required(server);
    conformance::add_diagnostics(server);
    conformance::add_resources(server);
    conformance::add_prompts(server);
    conformance::add_tasks(server);
    conformance::add_skills(server);
    if (port) return tenon::serve_http(server, {.port = *port, .store = *store});
    return tenon::serve(server);
}
