// Judges the handshake of revisions up to 2025-11-25.
#include <algorithm>

#include "check/client/judge.hpp"

namespace tenon::check::client {
namespace {

using Kind = Message::Kind;

// Two POSTs on two connections may arrive in a different order.
constexpr Duration overtaking = std::chrono::milliseconds(50);

bool is_ordinary(const Message& m) { return m.kind == Kind::request && !may_come_first(m) && m.method != "initialize"; }

void judge_first(const Play& play, Sheet& sheet) {
    const auto first = std::ranges::find_if(
        play.messages, [](const Message& m) { return m.kind == Kind::request && !may_come_first(m); });
    if (first == play.messages.end()) return;
    sheet.expect(first->method == "initialize", "LIFE-1.client-first", play, first->event,
                 "the first request is `" + first->method + "`");
}

void judge_introduction(const Play& play, Sheet& sheet) {
    const Message& m = *play.introduction();
    const json::object& params = m.params();
    sheet.expect(!string_member(params, "protocolVersion").empty(), "LIFE-1.client-revision", play, m.event,
                 "`initialize` has no protocolVersion that is a string");
    const json::value* capabilities = params.if_contains("capabilities");
    sheet.expect(capabilities && capabilities->is_object(), "LIFE-1.client-capabilities", play, m.event,
                 "`initialize` has no capabilities that are an object");
    const json::object& info = object_member(params, "clientInfo");
    sheet.expect(!string_member(info, "name").empty() && !string_member(info, "version").empty(), "LIFE-1.client-info",
                 play, m.event, "`initialize` has no clientInfo with a name and a version");
}

void judge_waiting(const Play& play, Sheet& sheet) {
    for (const Message& m : play.messages) {
        if (!is_ordinary(m) || m.event < play.introduction()->event) continue;
        sheet.expect(m.event > *play.answered, "LIFE-3.client-waits", play, m.event,
                     "`" + m.method + "` was sent before `initialize` was answered");
    }
    if (play.initialized) sheet.pass("LIFE-3.client-waits", play);
}

void judge_initialized(const Play& play, Sheet& sheet) {
    constexpr std::string_view rule = "LIFE-2.client-initialized";
    if (!play.initialized) return sheet.fail(rule, play, *play.answered, "notifications/initialized was not sent");
    const Message& initialized = play.messages[*play.initialized];
    sheet.expect(initialized.event > *play.answered, rule, play, initialized.event,
                 "notifications/initialized was sent before `initialize` was answered");
    for (const Message& m : play.messages) {
        if (!is_ordinary(m) || m.event < *play.answered) continue;
        const bool late = m.event < initialized.event &&
                          (!play.record.http || play.at(initialized.event) - play.at(m.event) > overtaking);
        sheet.expect(!late, "LIFE-2.client-order", play, m.event,
                     "`" + m.method + "` was sent before notifications/initialized");
    }
}

// Over HTTP, an `initialize` without a session id begins a new session. This is allowed.
void judge_once(const Play& play, Sheet& sheet) {
    const Message& first = *play.introduction();
    sheet.pass("LIFE-13.client-once", play);
    for (const Message& m : play.messages) {
        if (!m.is_request("initialize") || m.event <= first.event || m.peer != first.peer) continue;
        if (!play.record.http || play.record.events[m.event].field("Mcp-Session-Id"))
            sheet.fail("LIFE-13.client-once", play, m.event, "a second `initialize` was sent in the same session");
    }
}

}  // namespace

void judge_lifecycle(const Play& play, Sheet& sheet) {
    judge_first(play, sheet);
    if (!play.introduction()) return;
    judge_introduction(play, sheet);
    if (!play.answered) return;
    judge_once(play, sheet);
    if (play.record.scene != Scene::plain) return;
    judge_waiting(play, sheet);
    judge_initialized(play, sheet);
}

}  // namespace tenon::check::client
