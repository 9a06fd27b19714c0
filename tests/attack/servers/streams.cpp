// Event streams that never end, or end too early.
#include "attack/servers/all.hpp"

namespace attack {
namespace {

// Reads requests until one asks for the list. The others get honest responses.
bool reach_list(Connection& connection, tenon::test::ScriptedRequest& request) {
    while (connection.read(request)) {
        if (request.says("tools/list")) return true;
        const bool discovers = request.says("server/discover"), begins = request.says("\"initialize\"");
        const Heard heard{discovers ? "server/discover" : begins ? "initialize" : "", request.id(), {}};
        bool said = false;
        be_polite(heard, [&](std::string_view text) {
            return said = true, connection.json(std::string(text), "", discovers ? "400 Bad Request" : "200 OK");
        });
        if (!said) connection.empty(request.method == "POST" ? "202 Accepted" : "405 Method Not Allowed");
    }
    return false;
}

}  // namespace

void endless_stream(Connection& connection, int) {
    tenon::test::ScriptedRequest request;
    if (!reach_list(connection, request) || !connection.begin_stream()) return;
    while (connection.send(": nothing yet\n\n")) {
    }
}

void endless_event(Connection& connection, int) {
    tenon::test::ScriptedRequest request;
    if (!reach_list(connection, request) || !connection.begin_stream() || !connection.send("data: ")) return;
    const std::string more(1 << 16, 'x');
    while (connection.send(more)) {
    }
}

void cut_event(Connection& connection, int) {
    tenon::test::ScriptedRequest request;
    if (!reach_list(connection, request) || !connection.begin_stream()) return;
    connection.send("data: {\"jsonrpc\":\"2.0\",\"id\":" + request.id() + ",\"result\":{\"tools\":[]}}\n");
}

}  // namespace attack
