// Judges the handshake of revisions up to 2025-11-25.
#include <algorithm>

#include "check/client/judge.hpp"

namespace tenon::check::client {
namespace {

using Kind = Message::Kind;

// Two POSTs on two connections may arrive in a different order.
constexpr Duration overtaking = std::chrono::milliseconds(50);

bool is_ordinary(const Message& m) { return m.kind == Kind::request && !may_come_first(m) && m.method != "initialize"; }

void judge_first(const Dialogue& dialogue, Sheet& sheet) {
    const auto first = std::ranges::find_if(
        dialogue.messages, [](const Message& m) { return m.kind == Kind::request && !may_come_first(m); });
    if (first == dialogue.messages.end()) return;
    sheet.expect(first->method == "initialize", "LIFE-1.client-first", dialogue, first->event,
                 "the first request is `" + first->method + "`");
}

void judge_introduction(const Dialogue& dialogue, Sheet& sheet) {
    const Message& m = *dialogue.introduction();
    const json::object& params = m.params();
    sheet.expect(!string_member(params, "protocolVersion").empty(), "LIFE-1.client-revision", dialogue, m.event,
                 "`initialize` has no protocolVersion that is a string");
    const json::value* capabilities = params.if_contains("capabilities");
    sheet.expect(capabilities && capabilities->is_object(), "LIFE-1.client-capabilities", dialogue, m.event,
                 "`initialize` has no capabilities that are an object");
    const json::object& info = object_member(params, "clientInfo");
    const json::value *name = info.if_contains("name"), *version = info.if_contains("version");
    sheet.expect(name && name->is_string() && version && version->is_string(), "LIFE-1.client-info", dialogue, m.event,
                 "`initialize` has no clientInfo with a name and a version");
}

void judge_waiting(const Dialogue& dialogue, Sheet& sheet) {
    for (const Message& m : dialogue.messages) {
        if (!is_ordinary(m) || m.event < dialogue.introduction()->event) continue;
        sheet.expect(m.event > *dialogue.answered, "LIFE-3.client-waits", dialogue, m.event,
                     "`" + m.method + "` was sent before `initialize` was answered");
    }
    if (dialogue.initialized) sheet.pass("LIFE-3.client-waits", dialogue);
}

void judge_initialized(const Dialogue& dialogue, Sheet& sheet) {
    constexpr std::string_view rule = "LIFE-2.client-initialized";
    if (!dialogue.initialized)
        return sheet.fail(rule, dialogue, *dialogue.answered, "notifications/initialized was not sent");
    const Message& initialized = dialogue.messages[*dialogue.initialized];
    sheet.expect(initialized.event > *dialogue.answered, rule, dialogue, initialized.event,
                 "notifications/initialized was sent before `initialize` was answered");
    for (const Message& m : dialogue.messages) {
        if (!is_ordinary(m) || m.event < *dialogue.answered) continue;
        const bool late = m.event < initialized.event &&
                          (!dialogue.record.http || dialogue.at(initialized.event) - dialogue.at(m.event) > overtaking);
        sheet.expect(!late, "LIFE-2.client-order", dialogue, m.event,
                     "`" + m.method + "` was sent before notifications/initialized");
    }
}

// Over HTTP, an `initialize` without a session id begins a new session. This is allowed.
void judge_once(const Dialogue& dialogue, Sheet& sheet) {
    const Message& first = *dialogue.introduction();
    sheet.pass("LIFE-13.client-once", dialogue);
    for (const Message& m : dialogue.messages) {
        if (!m.is_request("initialize") || m.event <= first.event || m.peer != first.peer) continue;
        if (!dialogue.record.http || dialogue.record.events[m.event].field("Mcp-Session-Id"))
            sheet.fail("LIFE-13.client-once", dialogue, m.event, "a second `initialize` was sent in the same session");
    }
}

void judge_handshake(const Dialogue& dialogue, Sheet& sheet) {
    judge_first(dialogue, sheet);
    if (!dialogue.introduction()) return;
    judge_introduction(dialogue, sheet);
    if (!dialogue.answered) return;
    judge_once(dialogue, sheet);
    if (dialogue.record.scene != Scene::plain) return;
    judge_waiting(dialogue, sheet);
    judge_initialized(dialogue, sheet);
}

}  // namespace

void judge_lifecycle(const Dialogues& dialogues, Sheet& sheet) {
    for (const auto& [scene, dialogue] : dialogues)
        if (!is_modern(scene)) judge_handshake(dialogue, sheet);
}

}  // namespace tenon::check::client
