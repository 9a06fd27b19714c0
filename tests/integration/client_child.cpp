// A server that misbehaves. The first argument chooses how. It implements only the part of the protocol that the tests
// need.
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

constexpr std::size_t far_too_long = 1'000'000;

// Sends a response that the client cannot read, of the given kind. Returns false for kinds that mean something else.
bool answer_badly(const std::string& kind, const std::string& line) {
    const std::string begin = R"({"jsonrpc":"2.0","id":)" + id_of(line) + R"(,"result":)";
    const std::string filler(far_too_long, 'x');
    if (kind == "too-long") {
        say(begin + R"({"x":")" + filler + "\"}}");
    } else if (kind == "too-long-id-last") {
        say(R"({"result":{"x":")" + filler + R"("},"jsonrpc":"2.0","id":)" + id_of(line) + "}");
    } else if (kind == "too-long-without-id") {
        say(R"({"jsonrpc":"2.0","result":{"x":")" + filler + "\"}}");
    } else if (kind == "too-long-without-end") {
        std::cout << begin << R"({"x":")" << filler << std::flush;
    } else if (kind == "not-json") {
        say(begin + "{'x':1}}");
    } else if (kind == "bad-utf8") {
        say(begin + "{\"x\":\"\xff\"}}");
    } else if (kind == "too-deep") {
        say(begin + std::string(1000, '[') + std::string(1000, ']') + "}");
    } else if (kind == "wrong-envelope") {
        say(R"({"id":)" + id_of(line) + R"(,"result":{}})");
    } else {
        return false;
    }
    return true;
}

// Sends pages forever: ten tools each, and always another cursor.
void list_without_end(const std::string& line) {
    static int page = 0;
    ++page;
    std::string tools;
    for (int i = 0; i < 10; ++i)
        tools += std::string(i == 0 ? "" : ",") + R"({"name":"t)" + std::to_string(page * 10 + i) +
                 R"(","inputSchema":{"type":"object"}})";
    answer(line, R"({"tools":[)" + tools + R"(],"nextCursor":"c)" + std::to_string(page) + "\"}");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string kind = argc > 1 ? argv[1] : "";
    if (kind == "dies-at-once") return 3;
    if (kind == "ignores-term") ::signal(SIGTERM, SIG_IGN);
    if (kind == "has-a-child" || kind == "ignores-term") {
        // The grandchild inherits the streams and never exits by itself.
        if (::fork() == 0)
            for (;;) ::pause();
    }
    bool was_bad = false;
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
        } else if (is(line, "tools/list") && kind == "endless-list") {
            list_without_end(line);
        } else if (is(line, "tools/call")) {
            if (!was_bad && answer_badly(kind, line)) {
                was_bad = true;
                continue;
            }
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
