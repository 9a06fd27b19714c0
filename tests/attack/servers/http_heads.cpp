// HTTP heads and bodies that are slow or endless, and redirects that form a loop.
#include <thread>

#include "attack/servers/all.hpp"

namespace attack {
namespace {

const std::string ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

// Waits for a request, sends `first`, and then sends `more` again and again.
void answer_for_ever(Connection& connection, const std::string& first, const std::string& more,
                     std::chrono::milliseconds pause = {}) {
    tenon::test::ScriptedRequest request;
    if (!connection.read(request) || !connection.send(first)) return;
    while (connection.send(more)) std::this_thread::sleep_for(pause);  // the attack itself: it is slow
}

}  // namespace

void redirect_loop(Connection& connection, int) {
    tenon::test::ScriptedRequest request;
    for (int i = 0; connection.read(request); ++i)
        connection.empty("307 Temporary Redirect", "Location: /mcp?" + std::to_string(i) + "\r\n");
}

void slow_head(Connection& connection, int) {
    answer_for_ever(connection, "HTTP/1.1 200 OK\r\nX: ", "x", std::chrono::milliseconds(200));
}
void slow_body(Connection& connection, int) {
    answer_for_ever(connection, ok + "Content-Length: 10000\r\n\r\n{", " ", std::chrono::milliseconds(200));
}
void huge_length(Connection& connection, int) {
    answer_for_ever(connection, ok + "Content-Length: 1000000000\r\n\r\n\"", std::string(1 << 16, 'x'));
}
void header_flood(Connection& connection, int) { answer_for_ever(connection, ok, "X: y\r\n"); }
void continue_flood(Connection& connection, int) { answer_for_ever(connection, "", "HTTP/1.1 100 Continue\r\n\r\n"); }

}  // namespace attack
