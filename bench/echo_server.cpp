// The Tenon server that the benchmarks measure.
// usage: echo_server [--http PORT] [--tools N] [--inline] [--threads N]
#include <charconv>
#include <cstdio>
#include <cstring>

#include <tenon/tenon.hpp>

#include "filler.hpp"

namespace {

struct Wanted {
    unsigned port = 0;   // 0: stdio
    unsigned tools = 2;  // echo and report are always there
    unsigned threads = 0;
    tenon::Placement placement = tenon::Placement::worker;
};

Wanted wanted(int argc, char** argv) {
    Wanted out;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--inline") out.placement = tenon::Placement::inline_;
        unsigned* number = word == "--http"      ? &out.port
                           : word == "--tools"   ? &out.tools
                           : word == "--threads" ? &out.threads
                                                 : nullptr;
        if (number && ++i < argc) std::from_chars(argv[i], argv[i] + std::strlen(argv[i]), *number);
    }
    return out;
}

void add_tools(tenon::Server& server, const Wanted& w) {
    using tenon::arg, tenon::args;
    server.tool("echo", "Gives back the text", args(arg<std::string>("text")), [](std::string text) { return text; },
                {.placement = w.placement});
    server.tool("report", "Gives back the text, after some reports of progress", args(arg<std::string>("text")),
                [](tenon::Context& ctx, std::string text) {
                    for (int step = 1; step <= bench::steps; ++step) ctx.progress(step);
                    return text;
                },
                {.placement = w.placement});
    for (unsigned i = 2; i < w.tools; ++i) {
        tenon::Tool tool;
        tool.name = bench::filler_name(i);
        tool.description = bench::filler_description(i);
        tool.inputSchema = tenon::json::parse(bench::filler_schema).value().get_object();
        server.tool(std::move(tool), [](tenon::json::object) { return std::string("nothing"); },
                    {.placement = w.placement});
    }
}

}  // namespace

int main(int argc, char** argv) {
    const Wanted w = wanted(argc, argv);
    tenon::Server server{
        "echo", "1.0.0", {.limits = {.max_calls_per_second = 0}}};  // the load is far above the default
    add_tools(server, w);
    if (w.port == 0) return tenon::serve(server);
    return tenon::serve_http(server, {.port = static_cast<std::uint16_t>(w.port), .threads = w.threads});
}
