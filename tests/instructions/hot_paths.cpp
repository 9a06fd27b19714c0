// Runs the code paths of a request, one at a time, for an instruction counter. Prints the number of allocations. See
// guard.sh.
//
// usage: hot_paths PATH TIMES
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <string_view>

#include <tenon/audit.hpp>
#include <tenon/metrics.hpp>
#include <tenon/schema.hpp>
#include <tenon/session.hpp>
#include <tenon/tenon.hpp>

#include "framing/http_request.hpp"
#include "jsonrpc/codec.hpp"
#include "observe/otlp.hpp"
#include "protocol/write.hpp"

namespace {
std::size_t allocations = 0;  // the paths have one thread
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace tenon;

constexpr std::string_view legacy_call =
    R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"thirty-two bytes of plain text.."}}})";
constexpr std::string_view modern_call =
    R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"thirty-two bytes of plain text.."},)"
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"guard","version":"1"}}}})";
constexpr std::string_view list_call = R"({"jsonrpc":"2.0","id":8,"method":"tools/list"})";
constexpr std::string_view http_head =
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/json\r\nAccept: application/json, "
    "text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n"
    "Content-Length: 2\r\n\r\n{}";

void decode_line(int times) {
    for (int i = 0; i < times; ++i)
        if (jsonrpc::decode_in_arena(legacy_call).messages.size() != 1) std::abort();
}

void validate_arguments(int times) {
    const auto checker = schema::Schema::compile(
        json::parse(
            R"({"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false})")
            .value());
    const json::value arguments = json::object{{"text", "thirty-two bytes of plain text.."}};
    for (int i = 0; i < times; ++i)
        if (!checker->accepts(arguments)) std::abort();
}

void encode_result(int times) {
    const ToolResult result{{TextContent{"thirty-two bytes of plain text.."}}};
    const protocol::Rules rules(protocol::revisions().front());
    for (int i = 0; i < times; ++i)
        if (jsonrpc::encode_result(jsonrpc::Id(std::int64_t{7}), protocol::encode(result, rules)).json.empty())
            std::abort();
}

void read_head(int times) {
    using Parser = framing::HttpRequestParser;
    Parser parser;
    for (int i = 0; i < times; ++i) {
        std::string_view input = http_head;
        while (parser.next(input) != Parser::Event::end) {
        }
    }
}

// The whole path, from a request line to the response line.
void serve(std::string_view line, bool handshake, int times, ServerOptions options = {}) {
    Server server("guard", "1", std::move(options));
    server.tool("echo", "Says it again", args(arg<std::string>("text", "What to say")),
                [](std::string text) { return text; }, {.placement = Placement::inline_});
    for (int i = 0; i < 49; ++i)
        server.tool("tool-" + std::to_string(i), "One of many", args(arg<int>("n", "A number")),
                    [](int n) { return n; });
    Session session(server);
    if (handshake) {
        session.receive(
            R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"guard","version":"1"}}})");
        session.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        session.take_output();
    }
    for (int i = 0; i < times; ++i) {
        session.receive(line);
        if (session.take_output().empty()) std::abort();
    }
}

// The same call with one observer. What it costs is the difference to `call`.
ServerOptions audited() {
    // A callback needs no second thread, whose instructions would depend on the time.
    return {.audit = std::make_shared<AuditLog>(AuditOptions{.callback = [](std::string_view) {}})};
}
ServerOptions measured() { return {.metrics = std::make_shared<Metrics>()}; }
ServerOptions traced() {
    return {.observers = {[](const Operation& o) {
                if (observe::encode_span(o).empty()) std::abort();
            }}};
}

}  // namespace

int main(int argc, char** argv) {
    const std::map<std::string_view, std::function<void(int)>> paths = {
        {"decode", decode_line},
        {"validate", validate_arguments},
        {"encode", encode_result},
        {"http", read_head},
        {"call", [](int n) { serve(legacy_call, true, n); }},
        {"audited-call", [](int n) { serve(legacy_call, true, n, audited()); }},
        {"measured-call", [](int n) { serve(legacy_call, true, n, measured()); }},
        {"traced-call", [](int n) { serve(legacy_call, true, n, traced()); }},
        {"modern-call", [](int n) { serve(modern_call, false, n); }},
        {"list", [](int n) { serve(list_call, true, n); }},
    };
    const auto path = argc == 3 ? paths.find(argv[1]) : paths.end();
    if (path == paths.end()) return std::fputs("usage: hot_paths PATH TIMES\n", stderr), 2;
    path->second(std::atoi(argv[2]));
    std::printf("allocations %zu\n", allocations);
}
