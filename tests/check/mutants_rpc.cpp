// Mutants of the rules RPC, INT and STDIO.
#include <unistd.h>

#include "check/mutations.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view modern = "2026-07-28";
// Methods that the checker uses only once, so a defect here affects no other rule.
constexpr std::string_view listing = "prompts/list", completing = "completion/complete";

Change id_becomes(std::string from, std::string to) {
    return [from = "\"id\":" + from, to = "\"id\":" + to](Passing& p, Memory&) {
        if (p.is_answer()) replaced(from, to)(p.line);
    };
}

// Ignores a request that directly follows a certain message. No rule tests this by itself.
Change deaf_after(std::function<bool(const Passing&)> something) {
    return [something = std::move(something)](Passing& p, Memory& memory) {
        const bool after = memory.kept == "something";
        memory.kept = something(p) ? "something" : "";
        if (after && p.message.contains("id") && p.method != "ping") p.line.clear();
    };
}
bool is_odd_notification(const Passing& p) {
    return p.method.starts_with("notifications/") && p.method != "notifications/initialized";
}
bool is_no_message(const Passing& p) { return p.message.empty(); }

bool is_response(const Passing& p) { return p.method.empty() && p.is_answer(); }
Change unheard_responses() { return deaf_to(is_response); }

Change error_without_id(std::function<void(object&)> edit) {
    return [edit = std::move(edit)](Passing& p, Memory&) {
        if (!p.message.contains("error") || (p.message.contains("id") && !p.message.at("id").is_null())) return;
        edit(p.message);
        p.write();
    };
}

Change digits_to_number() {
    return [](Passing& p, Memory&) {
        const value* id = p.message.if_contains("id");
        if (!p.is_answer() || !id || *id != value("700007")) return;
        p.message["id"] = 700007;
        p.write();
    };
}

Change mixed_up() {
    return [](Passing& p, Memory& memory) {
        if (!p.is_answer() || (p.method != "tools/list" && p.method != "ping")) {
            memory.count = 0;
            return;
        }
        ++memory.count;
        if (memory.count == 30) memory.kept = std::exchange(p.line, {});
        if (memory.count != 31) return;
        const std::size_t half = memory.kept.size() / 2;
        p.after.push_back(memory.kept.substr(half));
        p.line = memory.kept.substr(0, half) + p.line;
    };
}

Change loses_one_of_many() {
    return [](Passing& p, Memory& memory) {
        if (memory.in_read == 1) memory.count = 0;
        memory.count = p.method == "ping" ? memory.count + 1 : 0;
        if (memory.count == 15) p.line.clear();
    };
}

Change served_from_array() {
    return [](Passing& p, Memory& memory) {
        const auto list = json::parse(p.line);
        if (!list || !list->is_array() || list->get_array().empty() || !list->get_array()[0].is_object()) return;
        const object first = list->get_array()[0].get_object();
        p.line = json::write(first);
        memory.asked[json::write(first.at("id"))] = {"", {}};
    };
}

std::vector<Mutant> messages() {
    return {
        {"RPC-1.object", "2025-11-25", {}, then_say(listing, R"("hello")")},
        {"RPC-1.version", "2025-11-25", {}, answer(listing, [](object& m) { m.erase("jsonrpc"); })},
        {"RPC-2.utf8", "2025-11-25", {}, text(listing, replaced("without", "with\xE9out"))},
        {"RPC-2.byte-order-mark", "2025-11-25", {}, text(listing, [](std::string& t) { t.insert(0, "\xEF\xBB\xBF"); })},
        {"RPC-2.json", "2025-11-25", {}, then_say(listing, R"({"jsonrpc":"2.0",})")},
        {"RPC-2.repeated-members",
         "2025-11-25",
         {},
         text(listing, replaced("{\"jsonrpc\"", "{\"jsonrpc\":\"2.0\",\"jsonrpc\""))},
        {"RPC-2.refuses-invalid-utf8", "2025-11-25",
         instead([](const Passing& p) { return p.line.find("\xC3\x28") != p.line.npos && p.message.contains("id"); },
                 [](const Passing&) { return error_line(700'001, -32601); })},
        {"RPC-3.kind", "2025-11-25", {}, then_say(listing, R"({"jsonrpc":"2.0","id":5})")},
        {"RPC-3.method", "2025-11-25", {}, then_say(listing, R"({"jsonrpc":"2.0","method":7})")},
        {"RPC-3.params",
         "2025-11-25",
         {},
         then_say(listing, R"({"jsonrpc":"2.0","method":"notifications/message","params":[1]})")},
        {"RPC-3.request-id", "2025-11-25", unheard_responses(),
         then_say(listing, R"({"jsonrpc":"2.0","id":{"a":1},"method":"ping"})")},
        {"RPC-3.takes-meta", "2025-11-25",
         instead([](const Passing& p) { return p.line.find("com.example/tenon-check") != p.line.npos; },
                 refusal(-32602))},
        {"RPC-4.same-id", "2025-11-25", {}, answer(listing, [](object& m) { m["id"] = 123'456; })},
        {"RPC-4.id-type", "2025-11-25", {}, digits_to_number()},
        {"RPC-4.safe-id", "2025-11-25", {}, id_becomes("9007199254740991", "9007199254740992")},
        {"RPC-4.large-id", "2025-11-25", {}, id_becomes("9007199254740993", "9007199254740992")},
        {"RPC-4.unicode-id",
         "2025-11-25",
         {},
         answer("",
                [](object& m) {
                    if (const value* id = m.if_contains("id");
                        id && id->is_string() && id->get_string().find("\xF0") != std::string::npos)
                        m["id"] = "?";
                })},
        {"RPC-4.one-of",
         "2025-11-25",
         {},
         answer(listing,
                [](object& m) {
                    if (m.contains("result")) m["error"] = nullptr;
                })},
        {"RPC-4.unasked", "2025-11-25", {}, then_say(listing, R"({"jsonrpc":"2.0","id":424242,"result":{}})")},
        {"RPC-4.result-object", "2025-11-25", {}, answer(completing, [](object& m) { m["result"] = "ok"; })},
        {"RPC-4.result-type", modern, {}, result(completing, [](object& r) { r.erase("resultType"); })},
        {"RPC-5.no-answer", "2025-11-25",
         [](Passing& p, Memory&) {
             if (p.method.starts_with("notifications/tenon-check")) p.before.push_back(error_line(nullptr, -32601));
         }},
        {"RPC-5.no-id", "2025-11-25", unheard_responses(),
         [](Passing& p, Memory&) {
             if (p.method != "notifications/progress") return;
             p.message["id"] = 5;
             p.write();
         }},
        {"RPC-6.object",
         "2025-11-25",
         {},
         answer("prompts/get",
                [](object& m) {
                    if (m.contains("error")) m["error"] = "failed";
                })},
        {"RPC-6.code", "2025-11-25", {}, error("prompts/get", [](object& e) { e["code"] = "-32602"; })},
        {"RPC-6.message", "2025-11-25", {}, error("prompts/get", [](object& e) { e.erase("message"); })},
        {.rule = "RPC-7.unknown-method",
         .in = deaf_to([](const Passing& p) { return p.method.starts_with("tenon-check/"); }),
         .silent = true},
        {"RPC-7.method-not-found", "2025-11-25",
         instead([](const Passing& p) { return p.method.starts_with("tenon-check/") && p.message.contains("id"); },
                 giving({}))},
        {"RPC-7.one-response",
         "2025-11-25",
         {},
         [](Passing& p, Memory&) {
             if (answers(p, listing)) p.after.push_back(p.line);
         }},
        {.rule = "RPC-7.pipelined", .in = loses_one_of_many(), .silent = true},
        {"RPC-8.parse-error", "2025-11-25", deaf_to([](const Passing& p) { return p.line.ends_with(",,}"); })},
        {"RPC-8.no-request", "2025-11-25",
         deaf_to([](const Passing& p) { return p.message.contains("tenon") && p.method.empty(); })},
        {"RPC-8.wrong-version", "2025-11-25", [](Passing& p, Memory&) { replaced("\"1.0\"", "\"2.0\"")(p.line); }},
        {"RPC-8.made-up-id", "2025-11-25", {}, error_without_id([](object& m) { m["id"] = 0; })},
        {"RPC-8.survives", "2025-11-25",
         [](Passing& p, Memory&) {
             if (p.line == "nonsense") ::_exit(1);
         }},
        {"RPC-9.stray-response", "2025-11-25",
         [](Passing& p, Memory&) {
             if (is_response(p)) p.before.push_back(error_line(p.message.at("id"), -32600));
         }},
        {"RPC-10.unique-ids", "2025-11-25", unheard_responses(),
         [](Passing& p, Memory&) {
             if (!answers(p, listing)) return;
             for (int i = 0; i < 2; ++i) p.after.push_back(R"({"jsonrpc":"2.0","id":"s1","method":"ping"})");
         }},
        {"RPC-11.params-type", "2025-11-25",
         [](Passing& p, Memory&) { replaced("\"params\":[1,2]", "\"params\":{}")(p.line); }},
        {.rule = "RPC-12.served",
         .revision = "2025-03-26",
         .in = instead([](const Passing& p) { return p.line.starts_with("[{"); },
                       [](const Passing&) { return error_line(nullptr, -32600); }),
         .silent = true},
        {"RPC-12.refused", "2025-11-25", served_from_array()},
        {"RPC-12.no-array", "2025-11-25", {}, text(listing, [](std::string& t) { t = "[" + t + "]"; })},
        {"RPC-14.reserved", "2025-11-25", {}, error("prompts/get", [](object& e) { e["code"] = -32500; })},
        {"RPC-14.modern", modern, {}, error("resources/read", [](object& e) { e["code"] = -32002; })},
    };
}

std::vector<Mutant> streams() {
    return {
        {"INT-1.one-line", "2025-11-25", {}, text(listing, replaced("{\"jsonrpc\"", "{\n\"jsonrpc\""))},
        {.rule = "INT-1.newline",
         .at_end =
             [](Passing& p, Memory&) {
                 p.after.push_back(
                     R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"bye"}})");
             }},
        {"INT-2.control-characters", "2025-11-25", {}, text(listing, replaced("without", "with\tout"))},
        {"INT-2.surrogates", "2025-11-25", {}, text(listing, replaced("without", "with\\ud83dout"))},
        {.rule = "INT-3.whole-messages", .out = mixed_up(), .silent = true},
        {.rule = "INT-5.cut", .at_end = [](Passing& p, Memory&) { p.line += p.line.empty() ? "" : " "; }},
        {.rule = "INT-6.pieces", .silent = true},  // the reader is different: lose_pieces() in mutant_stdio.cpp
        {.rule = "INT-6.crlf",
         .in = deaf_to([](const Passing& p) { return p.line.ends_with('\r') && p.line.size() > 1; }),
         .silent = true},
        {"INT-6.blank-lines", "2025-11-25",
         [](Passing& p, Memory&) {
             if (p.line.find_first_not_of(" \r") == p.line.npos) ::_exit(1);
         }},
        {.rule = "INT-6.large",
         .in = deaf_to([](const Passing& p) { return p.line.size() > 500'000; }),
         .silent = true},
        {"STDIO-1.noise", "2025-11-25", {}, then_say(listing, "Server started!")},
        {"STDIO-1.blank-line", "2025-11-25", {}, then_say(listing, "")},
        {.rule = "STDIO-4.exits",
         .at_end =
             [](Passing&, Memory&) {
                 for (;;) ::pause();
             },
         .silent = true},
        {.rule = "STDIO-4.status-0", .at_end = [](Passing&, Memory&) { ::_exit(3); }},
        {"STDIO-4.finishes", "2025-11-25",
         [](Passing& p, Memory&) {
             if (p.line.find("com.example/last") != p.line.npos) ::_exit(0);
         }},
    };
}

}  // namespace

// Mutants that pass every single rule and fail only in generated cases.
static std::vector<Mutant> properties() {
    return {
        {.rule = "PROP-1.conformance", .in = deaf_to([](const Passing& p) { return p.line == "\"ping\""; })},
        {.rule = "PROP-2.one-answer", .in = deaf_after(is_odd_notification), .silent = true},
        {.rule = "PROP-3.integrity", .in = deaf_after(is_no_message), .silent = true},
    };
}

std::vector<Mutant> rpc_mutants() {
    std::vector<Mutant> out = messages();
    for (Mutant& mutant : properties()) out.push_back(std::move(mutant));
    for (Mutant& mutant : streams()) out.push_back(std::move(mutant));
    return out;
}

}  // namespace tenon::check::mutant
