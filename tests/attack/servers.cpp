#include "attack/servers.hpp"

#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "attack/servers/all.hpp"

namespace attack {
namespace {

constexpr std::string_view call = "call tool word=a --yes";

constexpr ServerAttack table[] = {
    {"silence", "never a response", "list tools", silence},
    {"wrong-ids", "responses whose ids match no request", "list tools", wrong_ids},
    {"output-schema-bomb", "an outputSchema with the pattern (){1000000}", call, output_schema_bomb},
    {"input-schema-bomb", "an inputSchema with nested patterns", call, input_schema_bomb},
    {"form-schema-bomb", "a form whose requestedSchema has such a pattern", call, form_schema_bomb},
    {"endless-list", "a list with ever new cursors", "list tools", endless_list},
    {"huge-cursors", "a list with ever new cursors of 10 MiB", "list tools", huge_cursors},
    {"colliding-keys", "a list with an object whose keys collide", "list tools", colliding_answer},
    {"number-arrays", "an answer with 15 MB of [0,0,...]", "list tools", number_answer},
    {"deep-nesting", "an answer of 15 MB of brackets", "list tools", deep_answer},
    {"huge-line", "a line of 1 GB", "list tools", huge_line},
    {"notification-flood", "log messages as fast as possible, and no response", call, notification_flood},
    {"progress-flood", "progress as fast as possible, and no response", call, progress_flood_to_client, nullptr, false},
    {"question-flood", "questions as fast as possible, and no response", call, question_flood},
    {"stderr-flood", "text on standard error as fast as possible, and no response", "list tools", stderr_flood},
    {"endless-stream", "a stream of comments that never ends", "list tools", nullptr, endless_stream},
    {"endless-event", "an event that never ends", "list tools", nullptr, endless_event},
    {"cut-event", "a stream that ends in the middle of an event", "list tools", nullptr, cut_event},
    {"redirect-loop", "redirects to itself", "list tools", nullptr, redirect_loop},
    {"slow-head", "a head, a byte at a time", "list tools", nullptr, slow_head},
    {"slow-body", "a body, a byte at a time", "list tools", nullptr, slow_body},
    {"huge-length", "Content-Length: 1000000000, and a body of that length", "list tools", nullptr, huge_length},
    {"header-flood", "header fields without end", "list tools", nullptr, header_flood},
    {"continue-flood", "100 Continue without end", "list tools", nullptr, continue_flood},
};

// Finds a member in a message of tenon, which writes no spaces. `skip`: the number of characters before the value.
std::string member(const std::string& line, const std::string& name, std::string_view ends, std::size_t skip = 0) {
    const std::size_t at = line.find("\"" + name + "\":");
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size() + 3 + skip;
    return line.substr(begin, line.find_first_of(ends, begin) - begin);
}

bool write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(1, bytes.data(), bytes.size());
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

}  // namespace

std::span<const ServerAttack> server_attacks() { return table; }

std::string Heard::answer(std::string_view result) const {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + std::string(result) + "}";
}

std::string tool_list(std::string_view input_schema, std::string_view output_schema) {
    std::string out = R"({"tools":[{"name":"tool","description":"A tool","inputSchema":)" + std::string(input_schema);
    if (!output_schema.empty()) out += R"(,"outputSchema":)" + std::string(output_schema);
    return out + "}]}";
}

void be_polite(const Heard& heard, const Say& say) {
    if (heard.method == "server/discover")
        say(R"({"jsonrpc":"2.0","id":)" + heard.id + R"(,"error":{"code":-32601,"message":"Method not found"}})");
    if (heard.method == "initialize")
        say(heard.answer(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},)"
                         R"("serverInfo":{"name":"server","version":"1"}})"));
    if (heard.method == "tools/list") say(heard.answer(tool_list(R"({"type":"object"})")));
    if (heard.method == "tools/call") say(heard.answer(R"({"content":[{"type":"text","text":"done"}]})"));
}

int serve_hostile(const ServerAttack& attack) {
    const Say say = [](std::string_view message) { return write_all(message) && write_all("\n"); };
    for (std::string line; std::getline(std::cin, line);)
        attack.hear({member(line, "method", "\"", 1), member(line, "id", ",}"), line}, say);
    return 0;
}

}  // namespace attack
