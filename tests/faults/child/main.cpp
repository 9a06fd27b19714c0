// A small server for the client under test: it has the tools of conversation.hpp, as far as the client's script needs
// them.
#include <iostream>
#include <string>

#include "integration/odd_server.hpp"

namespace {

void ask(const std::string& line) {
    say(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + id_of(line) +
        R"(,"progress":1}})");
    say(R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Well?","requestedSchema":)"
        R"({"type":"object","properties":{"name":{"type":"string"}}}}})");
    std::string next;
    while (std::getline(std::cin, next) && next.find("\"id\":\"q\"") == next.npos) {
    }
    answer(line, R"({"content":[{"type":"text","text":"yes"}]})");
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        if (is(line, "server/discover")) {
            say(R"({"jsonrpc":"2.0","id":)" + id_of(line) + R"(,"error":{"code":-32601,"message":"what?"}})");
        } else if (is(line, "initialize")) {
            answer(line, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":)"
                         R"({"name":"child","version":"1"}})");
        } else if (is(line, "tools/list")) {
            answer(line, R"({"tools":[{"name":"echo","inputSchema":{"type":"object"}}]})");
        } else if (line.find("\"name\":\"ask\"") != line.npos) {
            ask(line);
        } else if (is(line, "tools/call") && line.find("\"name\":\"wait\"") == line.npos) {
            answer(line, R"({"content":[{"type":"text","text":"a"}]})");
        } else if (is(line, "ping")) {
            answer(line, "{}");
        }
    }
}
