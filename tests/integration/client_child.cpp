// A server that misbehaves as its first argument says. It knows as little of the protocol as that needs.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "integration/odd_server.hpp"

namespace {

void introduce(const std::string& line) {
    answer(line,
           R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}})");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string kind = argc > 1 ? argv[1] : "";
    if (kind == "dies-at-once") return 3;
    if (kind == "ignores-term") ::signal(SIGTERM, SIG_IGN);
    if (kind == "has-a-child" || kind == "ignores-term") {
        // The grandchild has the same streams, and does not end by itself.
        if (::fork() == 0)
            for (;;) ::pause();
    }
    for (std::string line; std::getline(std::cin, line);) {
        if (kind == "noise") say("Server starting...\n\n{\"half\": "), std::cerr << "warming up" << std::endl;
        if (is(line, "server/discover")) {
            if (kind == "dies-of-discover") return 4;
            if (kind == "silent-to-discover" || kind == "silent") continue;
            say(R"({"jsonrpc":"2.0","id":)" + id_of(line) + R"(,"error":{"code":-32601,"message":"what?"}})");
            if (kind == "dies-after-discover") return 5;
        } else if (is(line, "initialize")) {
            if (kind == "silent") continue;
            if (kind == "dies-of-initialize") return 6;
            introduce(line);
            if (kind == "stops-reading")
                for (;;) ::pause();
        } else if (is(line, "tools/call")) {
            if (kind == "dies-of-a-call") {
                std::cerr << "out of cheese" << std::endl;
                return 7;
            }
            if (kind == "kills-itself") ::kill(::getpid(), SIGKILL);
            if (kind == "closes-its-output") ::close(1);
            if (kind == "half-an-answer") {
                std::cout << R"({"jsonrpc":"2.0","id":)" << id_of(line) << std::flush;
                return 0;
            }
            if (kind == "environment") {
                std::string all;
                for (char** e = environ; *e; ++e) all += std::string(*e).substr(0, std::string(*e).find('=')) + " ";
                answer(line, R"({"content":[{"type":"text","text":")" + all + "\"}]}");
            } else if (kind != "never-answers" && kind != "ignores-term") {
                answer(line, R"({"content":[{"type":"text","text":"ok"}]})");
            }
        }
    }
    if (kind == "ignores-end-of-input" || kind == "ignores-term")
        for (;;) ::pause();
    return 0;
}
