// Invariant: each request gets exactly one response, and every line of output is a message, however the input is cut.
// Input: one byte that chooses the pieces, then lines for a server with faulty handlers.
#include <cstdio>
#include <cstdlib>

#include "property/faulty_tools.hpp"
#include "property/model.hpp"
#include "support.hpp"

namespace tenon::fuzz::session_target {
namespace {

using test::Ledger;

Limits tight_limits() {
    Limits limits;
    limits.max_message_bytes = 4000;
    limits.max_depth = 32;
    limits.max_batch = 8;
    return limits;
}

Server& fixture() {
    static Server& server = []() -> Server& {
        static Server s{"faulty", "1.0.0", {.limits = tight_limits()}};
        test::add_faulty_tools(s, [](const std::function<void()>& work) { work(); });
        return s;
    }();
    return server;
}

void expect(bool good, const std::string& why, std::string_view line) {
    if (good) return;
    std::fprintf(stderr, "%s: %.*s\n", why.c_str(), static_cast<int>(line.size()), line.data());
    std::abort();
}

void receive(Ledger& ledger, std::string output) {
    for (std::size_t newline; (newline = output.find('\n')) != std::string::npos; output.erase(0, newline + 1)) {
        const std::string line = output.substr(0, newline);
        const std::string wrong = ledger.received(line);
        expect(wrong.empty(), wrong, line);
    }
    expect(output.empty(), "output without a newline at its end", output);
}

void run(std::string_view all) {
    Feed feed(all);
    const std::uint8_t choice = feed.byte();
    const std::size_t piece = choice == 0 ? all.size() + 1 : choice;
    const std::string input(feed.rest());
    if (test::beyond_judgement(input)) return;

    const auto names = test::faulty_tool_names();
    const Limits limits = tight_limits();
    Ledger ledger({.tools = {names.begin(), names.end()},
                   .max_message_bytes = limits.max_message_bytes,
                   .max_depth = limits.max_depth,
                   .max_batch = limits.max_batch},
                  Ledger::Timing::exact);
    Session session(fixture());
    for (std::string_view rest = input; !rest.empty();) {
        const std::size_t newline = rest.find('\n');
        const std::string_view bytes = rest.substr(0, newline == rest.npos ? rest.npos : newline + 1);
        const std::string_view line = bytes.substr(0, newline);
        // The last line may be cut: then it is only known to be too long.
        const bool too_long = line.size() - (line.ends_with('\r') ? 1 : 0) > limits.max_message_bytes;
        if (newline != rest.npos || too_long) ledger.sent(line);
        for (std::size_t at = 0; at < bytes.size(); at += piece) session.feed(bytes.substr(at, piece));
        receive(ledger, session.take_output());
        rest.remove_prefix(bytes.size());
    }
    session.end_of_input();
    receive(ledger, session.take_output());
    session.shut_down("the input is over");
    ledger.shut_down();
    receive(ledger, session.take_output());
    expect(ledger.settled(), "no answer for", ledger.owed());
}

const Target target{
    "session", run, {.base_bytes = 4 << 20, .bytes = 40'000, .base_allocations = 40'000, .allocations = 400}};

}  // namespace
}  // namespace tenon::fuzz::session_target
