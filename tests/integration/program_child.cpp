// A server that misbehaves towards the `tenon` program in the way that its first argument names. It implements only as
// much of the protocol as it needs.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "integration/odd_server.hpp"

namespace {

std::string kind;

void refuse(const std::string& line, const std::string& error) {
    say(R"({"jsonrpc":"2.0","id":)" + id_of(line) + R"(,"error":)" + error + "}");
}

// Terminal attacks as JSON escapes: clears the screen, sets the title, changes colours, reverses text, hides
// characters.
const std::string evil = R"(\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnp.exe\u200b\u007f)";

void introduce(const std::string& line) {
    const std::string name = kind == "escapes" ? evil : "odd";
    answer(
        line,
        R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{},"prompts":{},"logging":{}},)"
        R"("instructions":")" +
            (kind == "escapes" ? evil : "") + R"(","serverInfo":{"name":")" + name + R"(","version":"1"}})");
}

// Schemas that once took minutes to compile, or to match against a short text.
std::string hostile_schema(const std::string& pattern) {
    return R"(,"outputSchema":{"type":"object","properties":{"s":{"type":"string","pattern":")" + pattern + R"("}}})";
}

std::string output_schema() {
    if (kind == "slow-pattern") return hostile_schema("(((){1000000}){10000}a{0,1000}){0,1000}");
    if (kind == "slow-text") return hostile_schema("((a?){30}){30}b");
    return "";
}

void list_tools(const std::string& line) {
    const std::string about = kind == "escapes" ? evil : "does it";
    const std::string extra = kind == "escapes"
                                  ? R"(,{"name":")" + evil +
                                        R"(","description":"x","inputSchema":{"type":"object","properties":{")" + evil +
                                        R"(":{"type":"string","description":")" + evil + R"("}}}})"
                                  : "";
    const std::string next = kind == "circles" ? R"(,"nextCursor":"again")" : "";
    answer(line, R"({"tools":[{"name":"t","description":")" + about +
                     R"(","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true})" + output_schema() +
                     "}" + extra + "]" + next + "}");
}

void flood() {
    for (int i = 0; i < 20'000; ++i)
        std::cout << R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"spam"}})"
                  << "\n";
    for (int i = 0; i < 2000; ++i) std::cerr << "noise noise noise noise noise noise noise noise noise noise\n";
}

void call(const std::string& line) {
    if (kind == "dies") {
        std::cerr << "first line\nout of \x1b[31mcheese" << std::endl;
        ::_exit(7);
    }
    if (kind == "slow" || kind == "stubborn-call") {
        std::cerr << "called" << std::endl;
        return;
    }
    if (kind == "error")
        return refuse(line, R"({"code":-32602,"message":"no such )" + evil + R"(","data":{"hint":"x"}})");
    if (kind == "nonsense") return answer(line, R"({"content":5})");
    if (kind == "flood") flood();
    if (kind == "spins")
        say(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" +
            line.substr(
                line.find("\"progressToken\":") + 16,
                line.find_first_of(",}", line.find("\"progressToken\":")) - line.find("\"progressToken\":") - 16) +
            R"(,"progress":7,"message":"wor)" + evil + R"(king"}})");
    if (kind == "slow-pattern" || kind == "slow-text")
        return answer(line, R"({"content":[],"structuredContent":{"s":")" + std::string(1'000'000, 'a') + R"("}})");
    if (kind == "structured") return answer(line, R"({"content":[],"structuredContent":{"a":[1,2]}})");
    if (kind == "large")
        return answer(line, R"({"content":[{"type":"text","text":")" + std::string(5'000'000, 'x') + R"("}]})");
    if (kind == "environment")
        return answer(line, R"({"content":[{"type":"text","text":")" +
                                std::string(::getenv("GIVEN") ? ::getenv("GIVEN") : "none") + " " +
                                (::getenv("SECRET") ? "leaked" : "kept") + R"("}]})");
    answer(line, R"({"content":[{"type":"text","text":")" + (kind == "escapes" ? evil : "ok") + R"("}]})");
}

}  // namespace

int main(int argc, char** argv) {
    kind = argc > 1 ? argv[1] : "";
    if (kind == "dies-at-once") return 3;
    if (kind.starts_with("stubborn")) ::signal(SIGTERM, SIG_IGN);
    for (std::string line; std::getline(std::cin, line);) {
        if (kind == "silent") continue;
        if (is(line, "server/discover") && kind == "watched")
            return 4;  // the client then starts the server again, without `server/discover`
        if (is(line, "server/discover")) refuse(line, R"({"code":-32601,"message":"what?"})");
        if (is(line, "initialize") && kind == "noise") say("Server started on port \x1b[2J 8080");
        if (is(line, "initialize")) introduce(line);
        if (is(line, "logging/setLevel")) answer(line, "{}");
        if (is(line, "logging/setLevel") && kind == "leaves") return 0;
        if (is(line, "logging/setLevel") && kind == "watched") {
            say(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
            say(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"l","data":"\u001b[2J"}})");
        }
        if (is(line, "tools/list")) list_tools(line);
        if (is(line, "resources/list") && kind == "broken-lists")
            refuse(line, R"({"code":-32603,"message":"no resources today"})");
        else if (is(line, "resources/list"))
            answer(line, R"({"resources":[{"uri":"x:)" + (kind == "escapes" ? evil : "y") + R"(","name":"r"}]})");
        if (is(line, "resources/templates/list")) answer(line, R"({"resourceTemplates":[]})");
        if (is(line, "prompts/list") && kind == "broken-lists")
            refuse(line, R"({"code":-32603,"message":"no prompts today"})");
        else if (is(line, "prompts/list"))
            answer(line, R"({"prompts":[]})");
        if (is(line, "resources/read")) answer(line, R"({"contents":[{"uri":"x:y","text":")" + evil + R"("}]})");
        if (is(line, "tools/call")) call(line);
        if (is(line, "notifications/cancelled")) std::cerr << "cancelled" << std::endl;
    }
    if (kind == "slow" || kind == "stubborn-call") std::cerr << "closed" << std::endl;
    if (kind.starts_with("stubborn"))
        for (;;) ::pause();
    return 0;
}
