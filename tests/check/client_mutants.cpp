#include "client_mutants.hpp"

#include "client_mutant_client.hpp"

namespace tenon::mutant {
namespace {

using On = Mutation::On;

bool is(const json::object& m, std::string_view method) {
    const json::value* its = m.if_contains("method");
    return its && its->is_string() && its->get_string() == method;
}

// Changes the messages of one method, either in sessions or in 2026-07-28.
auto changes(std::string method, std::function<void(json::object&)> change, bool in_modern = false) {
    return [=](Bend& bend) {
        bend.message = [=](json::object& m, bool modern) {
            if (modern == in_modern && is(m, method)) change(m);
        };
    };
}

json::object& params_of(json::object& m) { return m.at("params").get_object(); }
json::object& meta_of(json::object& m) { return params_of(m).at("_meta").get_object(); }

auto replaces(std::string what, std::string with) {
    return [=](Bend& bend) {
        bend.text = [=](std::string& text, bool modern) {
            const std::size_t at = modern ? std::string::npos : text.find(what);
            if (at != std::string::npos) text.replace(at, what.size(), with);
        };
    };
}

auto answers(std::string to, std::function<void(json::object&)> change) {
    return [=](Bend& bend) {
        bend.answer = [=](json::object& answer, const std::string& method) {
            if (method == to) change(answer);
        };
    };
}

auto has_none_of(std::string method) {
    return answers(std::move(method), [](json::object& answer) {
        answer.erase("result");
        answer["error"] = json::object{{"code", -32601}, {"message", "no such method"}};
    });
}

auto results_in(std::string method, json::object result) {
    return answers(std::move(method), [=](json::object& answer) { answer["result"] = result; });
}

// Changes the head of the requests of one method: "POST tools/list", or "GET".
auto heads(std::string of, std::function<void(Fields&)> change, bool in_modern = false) {
    return [=](Bend& bend) {
        bend.head = [=](Fields& fields, const std::string& method, bool modern) {
            if (modern == in_modern && method == of) change(fields);
        };
    };
}

void set(Fields& fields, std::string_view name, std::string_view value) {
    for (auto& [its_name, its_value] : fields)
        if (its_name == name) its_value = value;
}

auto without(std::string name) {
    return [=](Fields& fields) { std::erase_if(fields, [&](const auto& field) { return field.first == name; }); };
}

auto flag(bool Bend::*member) {
    return [=](Bend& bend) { bend.*member = true; };
}

auto also_sends(std::string text) {
    return [=](Bend& bend) { bend.after_initialized = [=](Client& client) { client.send_text(text, false); }; };
}

}  // namespace

const std::vector<Mutation>& mutations() {
    using namespace std::string_literals;
    static const std::vector<Mutation> all = {
        {"RPC-1.client-version", On::both, changes("tools/list", [](json::object& m) { m["jsonrpc"] = "1.0"; })},
        {"RPC-2.client-utf8", On::both, replaces("Ada", "A\xff")},
        {"RPC-3.client-id", On::both, changes("tools/list", [](json::object& m) { m["id"] = nullptr; })},
        {"RPC-3.client-method", On::both, also_sends(R"({"jsonrpc":"2.0","id":99,"method":7})")},
        {"RPC-3.client-params", On::both, changes("prompts/list", [](json::object& m) { m["params"] = json::array{1}; })},
        {"RPC-4.client-same-id", On::both, answers("ping", [](json::object& m) { m["id"] = "another"; })},
        {"RPC-4.client-one-of", On::both,
         answers("ping", [](json::object& m) { m["error"] = json::object{{"code", 1}, {"message", "x"}}; })},
        {"RPC-4.client-no-response", On::both,
         [](Bend& bend) {
             bend.in_modern = [](Client& client) { client.send_text(R"({"jsonrpc":"2.0","id":"q","result":{}})", false); };
         }},
        {"RPC-5.client-no-id", On::both, changes("notifications/initialized", [](json::object& m) { m["id"] = 77; })},
        {"RPC-5.client-no-answer", On::both, flag(&Bend::answers_notifications)},
        {"RPC-5.client-unknown-notification", On::both, flag(&Bend::dies_of_notifications)},
        {"RPC-6.client-error", On::both,
         answers("tenon/unknown", [](json::object& m) { m["error"].get_object()["code"] = "none"; })},
        {"RPC-7.client-unknown-method", On::both, answers("tenon/unknown",
                                                          [](json::object& m) {
                                                              m.erase("error");
                                                              m["result"].emplace_object();
                                                          })},
        {"RPC-7.client-one-answer", On::both, flag(&Bend::twice)},
        {"RPC-9.client-stray-response", On::both, flag(&Bend::dies_of_strays)},
        {"RPC-10.client-unique-ids", On::both, flag(&Bend::same_ids)},
        {"RPC-10.client-retry-id", On::both, changes(
                                                 "tools/call",
                                                 [](json::object& m) {
                                                     if (params_of(m).contains("requestState")) m["id"] = Client::asked_id;
                                                 },
                                                 true)},
        {"RPC-12.client-batch", On::both,
         [](Bend& bend) {
             bend.text = [](std::string& text, bool modern) {
                 if (!modern && text.find("prompts/list") != std::string::npos) text = "[" + text + "]";
             };
         }},
        {"RPC-14.client-code", On::both,
         answers("tenon/unknown", [](json::object& m) { m["error"].get_object()["code"] = -1; })},
        {"INT-1.client-one-line", On::stdio,
         also_sends("{\"jsonrpc\":\"2.0\",\n\"method\":\"notifications/roots/list_changed\"\n}")},
        {"INT-1.client-ended", On::stdio,
         [](Bend& bend) {
             bend.at_the_end = [](Client& client) {
                 client.wire().raw(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
             };
         }},
        {"INT-2.client-characters", On::both, replaces("Ada", "A\tda")},
        {"INT-6.client-reading", On::both, flag(&Bend::dies_of_spelling)},
        {"LIFE-1.client-first", On::both,
         [](Bend& bend) { bend.before_initialize = [](Client& client) { client.ask("tools/list", {}); }; }},
        {"LIFE-1.client-revision", On::both,
         changes("initialize", [](json::object& m) { params_of(m)["protocolVersion"] = 20251125; })},
        {"LIFE-1.client-capabilities", On::both,
         changes("initialize", [](json::object& m) { params_of(m).erase("capabilities"); })},
        {"LIFE-1.client-info", On::both,
         changes("initialize", [](json::object& m) { params_of(m)["clientInfo"] = json::object{{"name", "mutant"}}; })},
        {"LIFE-1.client-meta-version", On::both,
         changes("tools/list",
                 [](json::object& m) { meta_of(m).erase("io.modelcontextprotocol/protocolVersion"); }, true)},
        {"LIFE-1.client-meta-capabilities", On::both,
         changes("tools/list",
                 [](json::object& m) { meta_of(m).erase("io.modelcontextprotocol/clientCapabilities"); }, true)},
        {"LIFE-1.client-meta-info", On::both,
         changes("tools/list", [](json::object& m) { meta_of(m).erase("io.modelcontextprotocol/clientInfo"); }, true)},
        {"LIFE-2.client-initialized", On::both, flag(&Bend::no_initialized)},
        // Over HTTP one POST may overtake another, so a short delay is allowed there.
        {"LIFE-2.client-order", On::stdio, flag(&Bend::late_initialized)},
        {"LIFE-3.client-waits", On::both, flag(&Bend::does_not_wait)},
        {"LIFE-7.client-newest", On::both,
         changes("initialize", [](json::object& m) { params_of(m)["protocolVersion"] = "2025-06-18"; })},
        {"LIFE-9.client-disconnects", On::both, flag(&Bend::speaks_anything)},
        {"LIFE-10.client-capability", On::both, flag(&Bend::ignores_capabilities)},
        {"LIFE-12.client-roots", On::both, has_none_of("roots/list")},
        {"LIFE-12.client-roots-result", On::both, results_in("roots/list", {{"roots", json::array{"/home"}}})},
        {"LIFE-12.client-sampling", On::both, has_none_of("sampling/createMessage")},
        {"LIFE-12.client-sampling-result", On::both, results_in("sampling/createMessage", {{"text", "hello"}})},
        {"LIFE-12.client-elicitation", On::both, has_none_of("elicitation/create")},
        {"LIFE-12.client-elicitation-result", On::both, results_in("elicitation/create", {{"action", "ok"}})},
        {"LIFE-12.client-request-state", On::both,
         changes("tools/call",
                 [](json::object& m) {
                     if (params_of(m).contains("requestState")) params_of(m)["requestState"] = "another";
                 },
                 true)},
        {"LIFE-12.client-input-responses", On::both,
         changes("tools/call",
                 [](json::object& m) {
                     if (params_of(m).contains("inputResponses")) params_of(m)["inputResponses"].emplace_object();
                 },
                 true)},
        {"LIFE-1.client-extension-ids", On::both,
         changes("tools/list",
                 [](json::object& m) {
                     meta_of(m)["io.modelcontextprotocol/clientCapabilities"].get_object()["extensions"] =
                         json::object{{"search", json::object()}};
                 },
                 true)},
        {"LIFE-12.client-root-paths", On::both,
         results_in("roots/list", {{"roots", json::array{json::object{{"uri", "file:///home/me/%2e%2e/other"}}}}})},
        {"LIFE-12.client-elicitation-mode", On::both,
         [](Bend& bend) {
             bend.answer = [](json::object& answer, const std::string&) {
                 if (answer.at("id") != json::value("undeclared mode")) return;
                 answer.erase("error");
                 answer["result"] = json::object{{"action", "cancel"}};
             };
         }},
        {"LIFE-12.client-tool-turns", On::both,
         [](Bend& bend) {
             bend.answer = [](json::object& answer, const std::string&) {
                 if (answer.at("id") == json::value("unbalanced turns")) answer["error"].get_object()["code"] = -1;
             };
         }},
        {"TOOL-5.client-task", On::both, flag(&Bend::never_tasks)},
        {"TOOL-5.client-no-task", On::both, flag(&Bend::always_tasks)},
        {"HTTP-1.client-changed-headers", On::http, flag(&Bend::keeps_headers)},
        {"LIFE-13.client-once", On::both,
         [](Bend& bend) {
             bend.after_initialized = [](Client& client) { client.ask("initialize", Client::introduction()); };
         }},
        {"LIFE-14.client-ping", On::both, results_in("ping", {{"pong", true}})},
        {"LIFE-16.client-cancel", On::both,
         also_sends(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}})")},
        {"LIFE-17.client-token", On::both, changes("tools/list",
                                                   [](json::object& m) {
                                                       params_of(m)["_meta"] =
                                                           json::object{{"progressToken", json::object()}};
                                                   })},
        {"TOOL-4.client-cursor", On::both, changes("tools/list",
                                                   [](json::object& m) {
                                                       if (params_of(m).contains("cursor")) params_of(m)["cursor"] = "2";
                                                   })},
        {"STDIO-2.client-only-messages", On::stdio, also_sends("hello")},
        {"STDIO-3.client-closes", On::stdio, flag(&Bend::kills)},
        {"HTTP-1.client-accept", On::http,
         heads("POST tools/list", [](Fields& f) { set(f, "Accept", "application/json"); })},
        {"HTTP-1.client-content-type", On::http,
         heads("POST tools/list", [](Fields& f) { set(f, "Content-Type", "text/plain"); })},
        {"HTTP-1.client-message", On::http, also_sends("hello")},
        {"HTTP-1.client-method-header", On::http, heads("POST tools/list", without("Mcp-Method"), true)},
        {"HTTP-1.client-name-header", On::http, heads("POST tools/call", without("Mcp-Name"), true)},
        {"HTTP-1.client-param-header", On::http, heads("POST tools/call", without("Mcp-Param-Whom"), true)},
        {"HTTP-3.client-stream", On::http, flag(&Bend::dies_of_streams)},
        {"HTTP-4.client-version-header", On::http, heads("POST tools/list", without("MCP-Protocol-Version"))},
        {"HTTP-4.client-negotiated", On::http, flag(&Bend::old_header)},
        {"HTTP-4.client-same-version", On::http, heads("POST tools/list", without("MCP-Protocol-Version"), true)},
        {"HTTP-5.client-polls", On::http, flag(&Bend::no_resume)},
        {"HTTP-5.client-retry", On::http, flag(&Bend::hurries)},
        {"HTTP-7.client-accept", On::http, heads("GET", [](Fields& f) { set(f, "Accept", "*/*"); })},
        {"HTTP-7.client-405", On::http, flag(&Bend::dies_of_405)},
        {"HTTP-9.client-session", On::http, heads("POST tools/list", without("Mcp-Session-Id"))},
        {"HTTP-9.client-no-session", On::http,
         [](Bend& bend) {
             bend.head = [](Fields& fields, const std::string& method, bool modern) {
                 if (modern || method != "POST tools/list") return;
                 for (const auto& [name, value] : fields)
                     if (name == "Mcp-Session-Id") return;
                 fields.emplace_back("Mcp-Session-Id", "0");
             };
         }},
        {"HTTP-10.client-new-session", On::http, flag(&Bend::dies_of_404)},
        {"HTTP-10.client-delete", On::http, flag(&Bend::no_delete)},
        {"INT-2.client-surrogates", On::both, replaces("Ada", "A\\ud83dda")},
    };
    return all;
}

}  // namespace tenon::mutant
