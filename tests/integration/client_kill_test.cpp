// Kills the server at every point of every call: after each message it received or sent, and in the middle of each.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <set>
#include <sstream>

#include <tenon/client.hpp>
#include <tenon/transport/process.hpp>

#include "support/folders.hpp"

namespace tenon {
namespace {

struct Call {
    const char* name;
    std::function<void(Client&)> make;
};

const std::vector<Call> calls = {
    {"connect", [](Client& c) { c.connect(); }},
    {"list_tools", [](Client& c) { c.list_tools().all(); }},
    {"list_resources", [](Client& c) { c.list_resources().all(); }},
    {"list_resource_templates", [](Client& c) { c.list_resource_templates().all(); }},
    {"list_prompts", [](Client& c) { c.list_prompts().all(); }},
    {"call_tool",
     [](Client& c) {
         c.call_tool("echo", {{"message", "hello"}});
     }},
    {"call_tool with progress",
     [](Client& c) {
         c.call_tool("count", {{"to", 2}, {"delay_ms", 0}}, {.on_progress = [](const Progress&) {}});
     }},
    {"call_tool that asks", [](Client& c) { c.call_tool("ask_user"); }},
    {"read_resource", [](Client& c) { c.read_resource("note://welcome"); }},
    {"get_prompt",
     [](Client& c) {
         c.get_prompt("letter", {{"to", "you"}});
     }},
    {"complete",
     [](Client& c) {
         c.complete(CompletionTarget::prompt("letter"), {"tone", "f", {}});
     }},
    {"set_log_level", [](Client& c) { c.set_log_level(LogLevel::error); }},
    {"subscribe", [](Client& c) { c.subscribe("note://welcome"); }},
    {"ping", [](Client& c) { c.ping(); }},
    {"request", [](Client& c) { c.request("tools/list"); }},
};

struct Cut {
    long out = -1, in = -1;
};

struct Ending {
    int code = 0;
    std::string text, errors;
};

// Runs the call and kills the server at the cut. All timeouts have their default values, which are long.
Ending run(const Call& call, Era era, Cut cut) {
    const auto transport = process({.command = {test_folders::bin() + "/relay", std::to_string(cut.out), std::to_string(cut.in),
                                                test_folders::bin() + "/everything"}});
    Ending ending;
    {
        ClientOptions options;
        options.restart = false;  // the test counts processes
        options.era = era;
        options.on_elicit = [](const ElicitRequest&, std::stop_token) {
            return ElicitResult{ElicitAction::accept, {{"name", "x"}, {"age", 30}}};
        };
        options.on_resource_updated = [](const std::string&) {};
        Client client(transport, std::move(options));
        try {
            call.make(client);
        } catch (const Exception& e) {
            ending.code = e.error().code;
            ending.text = e.error().message;
        }
        client.close();
    }
    EXPECT_EQ(transport->pid(), 0);
    ending.errors = transport->stderr_tail();
    return ending;
}

// Returns the byte positions to cut at: the end of each message, one byte before and after it, and the middle of each
// message.
std::set<long> places(const std::string& errors, const std::string& direction) {
    std::set<long> out = {0, 1};
    std::istringstream lines(errors);
    long before = 0;
    for (std::string word; lines >> word;) {
        long end = 0;
        if ((word != "out" && word != "in") || !(lines >> end) || word != direction) continue;
        out.insert({(before + end) / 2, end - 1, end, end + 1});
        before = end;
    }
    out.erase(before + 1);
    return out;
}

bool has_children() {
    siginfo_t info{};
    return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

class KilledServer : public testing::TestWithParam<Era> {};

TEST_P(KilledServer, every_call_ends_with_connection_closed_and_no_process_is_left) {
    int tried = 0;
    for (const Call& call : calls) {
        const Ending whole = run(call, GetParam(), {});
        ASSERT_EQ(whole.code, 0) << call.name << ": " << whole.text;
        const auto expect = [&](Cut cut) {
            const Ending ending = run(call, GetParam(), cut);
            ++tried;
            EXPECT_TRUE(ending.code == 0 || ending.code == code::connection_closed)
                << call.name << " cut at out " << cut.out << " in " << cut.in << ": " << ending.code << " "
                << ending.text;
            if (cut.out == 0 || cut.in == 0) {
                EXPECT_EQ(ending.code, code::connection_closed) << call.name;
            }
        };
        for (const long at : places(whole.errors, "out")) expect({.out = at});
        for (const long at : places(whole.errors, "in")) expect({.in = at});
    }
    EXPECT_FALSE(has_children());
    EXPECT_GT(tried, 200);
}

INSTANTIATE_TEST_SUITE_P(Eras, KilledServer, testing::Values(Era::legacy, Era::modern),
                         [](const auto& era) { return era.param == Era::legacy ? "legacy" : "modern"; });

}  // namespace
}  // namespace tenon
