// Judges 2026-07-28: each request describes its client in `_meta`, and over HTTP also in headers.
#include <algorithm>

#include "check/client/judge.hpp"
#include "check/client/played_server.hpp"
#include "protocol/extension_id.hpp"
#include "protocol/meta_keys.hpp"
#include "web/header_value.hpp"

namespace tenon::check::client {
namespace {

namespace key = protocol::meta_key;

void judge_meta(const Dialogue& dialogue, const Message& m, Sheet& sheet) {
    sheet.expect(string_member(m.meta(), key::version) == dialogue.revision, "LIFE-1.client-meta-version", dialogue,
                 m.event, "`" + m.method + "` does not say its revision in _meta");
    if (!m.modern) return;  // reported already
    const json::value* capabilities = m.meta().if_contains(key::client_capabilities);
    sheet.expect(capabilities && capabilities->is_object(), "LIFE-1.client-meta-capabilities", dialogue, m.event,
                 "`" + m.method + "` has no client capabilities in _meta");
    for (const auto& extension : object_member(object_member(m.meta(), key::client_capabilities), "extensions"))
        sheet.expect(protocol::is_extension_id(extension.key()), "LIFE-1.client-extension-ids", dialogue, m.event,
                     "the extension `" + std::string(extension.key()).substr(0, 200) + "` has an invalid id");
    const json::object& info = object_member(m.meta(), key::client_info);
    sheet.expect(!string_member(info, "name").empty() && !string_member(info, "version").empty(),
                 "LIFE-1.client-meta-info", dialogue, m.event, "`" + m.method + "` has no clientInfo in _meta");
}

void judge_headers(const Dialogue& dialogue, const Message& m, Sheet& sheet) {
    const Event& event = dialogue.record.events[m.event];
    if (m.modern)
        sheet.expect(event.field("MCP-Protocol-Version") == string_member(m.meta(), key::version),
                     "HTTP-4.client-same-version", dialogue, m.event,
                     "MCP-Protocol-Version is not the revision in _meta");
    sheet.expect(event.field("Mcp-Method") == m.method, "HTTP-1.client-method-header", dialogue, m.event,
                 "Mcp-Method is not `" + m.method + "`");
    const std::string_view source = protocol::name_parameter(m.method);
    if (const json::value* name = source.empty() ? nullptr : m.params().if_contains(source)) {
        const auto said = web::decode_header_value(event.field("Mcp-Name").value_or(""));
        sheet.expect(said && web::says_the_same(*said, *name), "HTTP-1.client-name-header", dialogue, m.event,
                     "Mcp-Name is not the `" + std::string(source) + "` of the request");
    }
    if (m.method != "tools/call" || string_member(m.params(), "name") != "greet") return;
    if (dialogue.record.scene == Scene::changed_headers) return;  // judge_changed_headers() judges it
    const json::value* whom = object_member(m.params(), "arguments").if_contains("whom");
    const auto header = event.field(mirrored_header);
    const auto said = web::decode_header_value(header.value_or(""));
    const bool right = whom && !whom->is_null() ? header && said && web::says_the_same(*said, *whom) : !header;
    sheet.expect(right, "HTTP-1.client-param-header", dialogue, m.event,
                 std::string(mirrored_header) + " is not the argument that the tool's schema names for it");
}

// Judges the retry of the first call that got questions instead of a result.
void judge_retry(const Dialogue& dialogue, Sheet& sheet) {
    std::optional<std::size_t> asked;
    json::object questions;
    json::value asked_id;
    for (std::size_t i = 0; i < dialogue.record.events.size() && !asked; ++i) {
        const auto said = dialogue.record.events[i].kind == Event::Kind::sent
                              ? json::parse(dialogue.record.events[i].text)
                              : Result<json::value>(Error{});
        const json::object* message = said ? said->if_object() : nullptr;
        if (!message || string_member(object_member(*message, "result"), "resultType") != "input_required") continue;
        asked = i;
        asked_id = message->at("id");
        questions = object_member(object_member(*message, "result"), "inputRequests");
    }
    if (!asked) return;
    const auto retry = std::ranges::find_if(dialogue.messages, [&](const Message& m) {
        return m.event > *asked && (m.params().contains("requestState") || m.params().contains("inputResponses"));
    });
    if (retry == dialogue.messages.end())
        return sheet.skip("LIFE-12.client-request-state", "the client did not call again");
    sheet.expect(string_member(retry->params(), "requestState") == request_state, "LIFE-12.client-request-state",
                 dialogue, retry->event, "the requestState differs from the server's");
    sheet.expect(retry->id() && *retry->id() != asked_id, "RPC-10.client-retry-id", dialogue, retry->event,
                 "the second call has the id of the first");
    if (questions.empty()) return;
    const json::object& answers = object_member(retry->params(), "inputResponses");
    const bool all =
        std::ranges::all_of(questions, [&](const auto& question) { return answers.contains(question.key()); });
    sheet.expect(all, "LIFE-12.client-input-responses", dialogue, retry->event, "not all input requests are answered");
}

bool is_header_mismatch(const Event& event) {
    const auto said = event.kind == Event::Kind::sent ? json::parse(event.text) : Result<json::value>(Error{});
    const json::object* message = said ? said->if_object() : nullptr;
    const json::value* code = message ? object_member(*message, "error").if_contains("code") : nullptr;
    return code && *code == json::value(code::header_mismatch);
}

// After -32020 the client lists the tools again, and calls again with the header that the schema names now.
void judge_changed_headers(const Dialogue& dialogue, Sheet& sheet) {
    constexpr std::string_view rule = "HTTP-1.client-changed-headers";
    // Without its revision, the second tools/list is refused.
    if (sheet.failed("LIFE-1.client-meta-version")) return sheet.skip(rule, "requests do not say their revision");
    const auto& events = dialogue.record.events;
    const auto refused = std::ranges::find_if(events, is_header_mismatch);
    if (refused == events.end()) return sheet.skip(rule, "the client did not call the tool with the argument");
    const auto at = static_cast<std::size_t>(refused - events.begin());
    const auto listed = std::ranges::find_if(
        dialogue.messages, [&](const Message& m) { return m.event > at && m.is_request("tools/list"); });
    const auto again = std::find_if(listed, dialogue.messages.end(), [&](const Message& m) {
        return m.is_request("tools/call") && events[m.event].field(changed_header).has_value();
    });
    sheet.expect(again != dialogue.messages.end(), rule, dialogue, at,
                 "after -32020 the client did not list the tools and call again with " + std::string(changed_header));
}

void judge_modern_record(const Dialogue& dialogue, Sheet& sheet) {
    for (const Message& m : dialogue.messages) {
        if (m.kind != Message::Kind::request || m.method == "initialize") continue;
        judge_meta(dialogue, m, sheet);
        if (dialogue.record.http) judge_headers(dialogue, m, sheet);
    }
    judge_retry(dialogue, sheet);
    if (dialogue.record.scene == Scene::changed_headers) judge_changed_headers(dialogue, sheet);
}

}  // namespace

void judge_modern(const Dialogues& dialogues, Sheet& sheet) {
    for (const auto& [scene, dialogue] : dialogues)
        if (is_modern(scene)) judge_modern_record(dialogue, sheet);
}

}  // namespace tenon::check::client
