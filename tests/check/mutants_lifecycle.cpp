// Mutants of the LIFE rules.
#include "check/mutations.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view modern = "2026-07-28", latest = "2025-11-25";
constexpr std::string_view listing = "prompts/list";
constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";

Change capabilities(std::function<void(object&)> edit) {
    return result("initialize", [edit = std::move(edit)](object& r) { edit(r["capabilities"].as_object()); });
}

Change both(Change first, Change second) {
    return [first = std::move(first), second = std::move(second)](Passing& p, Memory& m) {
        first(p, m);
        second(p, m);
    };
}

// Changes the answer to an initialize that requested this version.
Change negotiates(std::string asked, std::string_view answered) {
    return [asked = std::move(asked), answered](Passing& p, Memory&) {
        const value* version = p.params.if_contains("protocolVersion");
        if (!answers(p, "initialize") || !version || *version != value(asked) || !p.message.contains("result")) return;
        p.message["result"].as_object()["protocolVersion"] = answered;
        p.write();
    };
}

Change notification(std::string_view method, std::function<void(object&)> edit) {
    return [method, edit = std::move(edit)](Passing& p, Memory&) {
        if (p.method != method || p.is_answer()) return;
        edit(p.message["params"].as_object());
        p.write();
    };
}

bool deaf(const Passing& p) { return p.method.empty() && p.is_answer(); }

Change fills_meta(std::string_view key, value with) {
    return [key, with = std::move(with)](Passing& p, Memory&) {
        value* params = p.message.if_contains("params");
        value* meta = params && params->is_object() ? params->get_object().if_contains("_meta") : nullptr;
        if (!meta || !meta->is_object() || meta->get_object().contains(key)) return;
        meta->get_object()[key] = with;
        p.write();
    };
}

bool asks_for_unknown_version(const Passing& p) {
    return p.message.contains("id") && p.line.find("1999-01-01") != p.line.npos;
}

std::string request_line(std::string_view method, std::size_t number) {
    return json::write(object{{"jsonrpc", "2.0"}, {"id", "s" + std::to_string(number)}, {"method", method}});
}

Change asks_the_client(std::string_view method) {
    return [method](Passing& p, Memory& memory) {
        if (answers(p, listing)) p.after.push_back(request_line(method, ++memory.count));
    };
}

std::vector<Mutant> introductions() {
    return {
        {"LIFE-1.supported-versions",
         modern,
         {},
         result("server/discover", [](object& r) { r["supportedVersions"] = modern; })},
        {"LIFE-1.cache-hints", modern, {}, result("server/discover", [](object& r) { r.erase("ttlMs"); })},
        {"LIFE-1.stateless", modern,
         [](Passing& p, Memory& memory) {
             if (!memory.introduced) instead(asks("tools/list"), refusal(-32600))(p, memory);
         }},
        {"LIFE-1.no-version", modern, fills_meta(version_key, value(modern))},
        {"LIFE-1.no-capabilities", modern, fills_meta("io.modelcontextprotocol/clientCapabilities", object())},
        {"LIFE-4.protocol-version",
         latest,
         {},
         result("initialize", [](object& r) { r["protocolVersion"] = 20251125; })},
        {"LIFE-4.capabilities",
         latest,
         {},
         result("initialize", [](object& r) { r["capabilities"] = array{"tools"}; })},
        {"LIFE-4.server-info",
         latest,
         {},
         result("initialize", [](object& r) { r["serverInfo"].as_object().erase("version"); })},
        {"LIFE-4.instructions", latest, {}, result("initialize", [](object& r) { r["instructions"] = 7; })},
        {"LIFE-4.result-identity", modern, {}, result("completion/complete", [](object& r) { r.erase("_meta"); })},
        {"LIFE-5.before-initialized", latest,
         [](Passing& p, Memory& memory) {
             if (deaf(p)) p.line.clear();
             if (p.method == "ping" && memory.introduced && !memory.initialized)
                 p.before.push_back(request_line("roots/list", ++memory.count));
         }},
        {"LIFE-5.no-requests", modern, {}, asks_the_client("roots/list")},
        {"LIFE-6.before-initialize", latest,
         [](Passing& p, Memory& memory) {
             if (!memory.introduced) instead(asks("tools/list"), giving({{"tools", array()}}))(p, memory);
         }},
        {"LIFE-8.same-version",
         latest,
         {},
         both(negotiates("1999-01-01", "2025-06-18"), negotiates("2025-06-18", latest))},
        {"LIFE-8.unknown-version", latest, {}, negotiates("1999-01-01", "1999-01-01")},
        {"LIFE-8.newest", latest, {}, negotiates("1999-01-01", "2025-06-18")},
        {"LIFE-8.unsupported-version", modern, instead(asks_for_unknown_version, refusal(-32602))},
        {"LIFE-8.unsupported-data", modern, instead(asks_for_unknown_version, refusal(-32022))},
        {"LIFE-13.second-initialize", latest,
         [](Passing& p, Memory& memory) {
             if (p.method == "initialize" && ++memory.count == 2)
                 instead(asks("initialize"), giving({{"protocolVersion", latest},
                                                     {"capabilities", object()},
                                                     {"serverInfo", {{"name", "good"}, {"version", "1"}}}}))(p, memory);
         }},
    };
}

std::vector<Mutant> capability_mutants() {
    return {
        {"LIFE-10.undeclared", latest, {}, capabilities([](object& c) { c.erase("prompts"); })},
        {"LIFE-10.server-requests", latest, deaf_to(deaf), asks_the_client("sampling/createMessage")},
        {"LIFE-10.list-changed",
         latest,
         {},
         both(capabilities([](object& c) { c["tools"].as_object().erase("listChanged"); }),
              then_say(listing, R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"))},
        {"LIFE-10.logging", latest, {}, capabilities([](object& c) { c.erase("logging"); })},
        {"LIFE-11.tools", latest, instead(asks("tools/list"), refusal(-32601))},
        {"LIFE-11.resources", latest, instead(asks("resources/list"), refusal(-32601))},
        {"LIFE-11.prompts", latest, instead(asks("prompts/list"), refusal(-32601))},
        {"LIFE-11.logging", latest, instead(asks("logging/setLevel"), refusal(-32601))},
        {"LIFE-11.log-level", latest, request("logging/setLevel", [](object& p) { p["level"] = "error"; })},
        {"LIFE-11.log-message",
         latest,
         {},
         notification("notifications/message", [](object& p) { p["level"] = "verbose"; })},
        {"LIFE-11.completions", latest, instead(asks("completion/complete"), refusal(-32601))},
        {"LIFE-11.completion-values",
         latest,
         {},
         result("completion/complete", [](object& r) { r["completion"].as_object()["values"] = "ada"; })},
        {"LIFE-11.completion-counts",
         latest,
         {},
         result("completion/complete", [](object& r) { r["completion"].as_object()["total"] = "2"; })},
        {"LIFE-11.empty-result", latest, {}, result("logging/setLevel", [](object& r) { r["ok"] = true; })},
        {"LIFE-14.ping", latest, instead(asks("ping"), refusal(-32601))},
        {"LIFE-14.empty", latest, {}, result("ping", [](object& r) { r["pong"] = true; })},
        {"LIFE-14.any-time", latest,
         [](Passing& p, Memory& memory) {
             if (!memory.introduced) instead(asks("ping"), refusal(-32600))(p, memory);
         }},
        {"LIFE-16.unknown-id", latest,
         [](Passing& p, Memory&) {
             if (p.line.find("987654321") != p.line.npos) p.before.push_back(error_line(nullptr, -32602));
         }},
        {"LIFE-16.malformed", latest,
         [](Passing& p, Memory&) {
             if (p.method == "notifications/cancelled" && p.params.empty())
                 p.before.push_back(error_line(nullptr, -32602));
         }},
        {"LIFE-16.names-request",
         latest,
         {},
         then_say(listing, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{}})")},
        {"LIFE-17.shape",
         latest,
         {},
         notification("notifications/progress", [](object& p) { p["progress"] = "half"; })},
        {"LIFE-17.token",
         latest,
         {},
         notification("notifications/progress", [](object& p) { p["progressToken"] = "other"; })},
        {"LIFE-17.increases", latest, {}, notification("notifications/progress", [](object& p) { p["progress"] = 1; })},
        {"LIFE-17.after-response",
         latest,
         {},
         [](Passing& p, Memory&) {
             if (!answers(p, "tools/call") || !names(p, "count") || !p.params.contains("_meta")) return;
             p.after.push_back(json::write(
                 object{{"jsonrpc", "2.0"},
                        {"method", "notifications/progress"},
                        {"params", {{"progressToken", p.params.at("_meta").at("progressToken")}, {"progress", 100}}}}));
         }},
    };
}

}  // namespace

std::vector<Mutant> lifecycle_mutants() {
    std::vector<Mutant> out = introductions();
    for (Mutant& mutant : capability_mutants()) out.push_back(std::move(mutant));
    return out;
}

}  // namespace tenon::check::mutant
