// Judges rules by comparing scenes: the same client with a server that behaves differently.
#include <algorithm>

#include "check/client/judge.hpp"
#include "check/client/played_http_server.hpp"

namespace tenon::check::client {
namespace {

constexpr Duration rounding = std::chrono::milliseconds(20);  // the precision of the client's timers

// A client that waits for its server to exit waits at least this long.
constexpr Duration shortest_wait = std::chrono::milliseconds(100);

const Dialogue* find(const Dialogues& dialogues, Scene scene) {
    const auto it = dialogues.find(scene);
    return it == dialogues.end() ? nullptr : &it->second;
}

std::size_t last_event(const Dialogue& dialogue) {
    return dialogue.record.events.empty() ? 0 : dialogue.record.events.size() - 1;
}

// The client must send all requests of the plain scene in this scene too.
void judge_going_on(const Dialogue& plain, const Dialogue* dialogue, std::string_view rule, std::string_view what,
                    Sheet& sheet) {
    if (!dialogue) return;
    if (plain.methods.empty()) return sheet.skip(rule, "the client sends no request after the handshake");
    const bool all = std::ranges::includes(dialogue->methods, plain.methods);
    sheet.expect(all, rule, *dialogue, last_event(*dialogue), "the client did not continue after " + std::string(what));
}

// Returns whether the client sent requests or notifications after the response to `initialize`.
bool goes_on(const Dialogue& dialogue) {
    return std::ranges::any_of(dialogue.messages, [&](const Message& m) {
        return dialogue.answered && m.event > *dialogue.answered && m.kind != Message::Kind::response &&
               m.method != "notifications/cancelled";
    });
}

void judge_no_common_version(const Dialogue& dialogue, Sheet& sheet) {
    constexpr std::string_view rule = "LIFE-9.client-disconnects";
    if (!dialogue.answered) return;
    const bool left = dialogue.record.ended || std::ranges::any_of(dialogue.record.events, [](const Event& event) {
                          return event.kind == Event::Kind::input_closed || event.kind == Event::Kind::terminated;
                      });
    if (goes_on(dialogue))
        sheet.fail(rule, dialogue, last_event(dialogue), "the client continued with an unknown revision");
    else
        sheet.expect(left || dialogue.record.http, rule, dialogue, last_event(dialogue), "the client stays connected");
}

// A client that continues in a revision that does not exist accepts any revision. Then nothing shows which it supports.
void judge_newest_version(const Dialogue& plain, const Dialogue* dialogue, bool accepts_anything, Sheet& sheet) {
    constexpr std::string_view rule = "LIFE-7.client-newest";
    if (dialogue && accepts_anything) {
        sheet.skip(rule, "the client accepts any version, so its newest one is unknown");
    } else if (!dialogue) {
        if (plain.answered && !plain.asked_revision.empty()) sheet.pass(rule, plain);
    } else if (dialogue->answered) {
        sheet.expect(!goes_on(*dialogue), rule, *dialogue, *dialogue->answered,
                     "the client supports " + dialogue->revision + ", but asked for " + dialogue->asked_revision);
    }
}

// The server declared only tools.
void judge_capabilities(const Dialogue& dialogue, Sheet& sheet) {
    constexpr std::string_view rule = "LIFE-10.client-capability";
    for (const Message& m : dialogue.messages) {
        const protocol::Method* method = dialogue.rules().method(m.method, protocol::Sender::client);
        if (m.kind != Message::Kind::request || m.modern || !method) continue;
        const bool may = method->needs == protocol::Needs::nothing || method->needs == protocol::Needs::tools;
        sheet.expect(may, rule, dialogue, m.event, "`" + m.method + "` was sent to a server that does not declare it");
    }
}

void judge_lost_session(const Dialogue& dialogue, Sheet& sheet) {
    constexpr std::string_view rule = "HTTP-10.client-new-session";
    const auto& events = dialogue.record.events;
    const auto lost = std::ranges::find(events, 404, &Event::status);
    if (lost == events.end()) return sheet.skip(rule, "the client sends no request after the handshake");
    const auto at = static_cast<std::size_t>(lost - events.begin());
    const bool anew = std::ranges::any_of(dialogue.messages, [&](const Message& m) {
        return m.event > at && m.is_request("initialize") && !events[m.event].field("Mcp-Session-Id");
    });
    sheet.expect(anew, rule, dialogue, at, "after 404 the client did not begin a new session");
}

void judge_delete(const Dialogue& dialogue, Sheet& sheet) {
    constexpr std::string_view rule = "HTTP-10.client-delete";
    if (!dialogue.record.ended) return sheet.skip(rule, "the client did not end by itself");
    const bool deleted = std::ranges::any_of(dialogue.record.events, [](const Event& event) {
        return event.method == "DELETE" && event.field("Mcp-Session-Id").has_value();
    });
    if (dialogue.answered)
        sheet.expect(deleted, rule, dialogue, last_event(dialogue), "the client did not end its session");
}

void judge_polling(const Dialogue& dialogue, Sheet& sheet) {
    if (!dialogue.rules().has(protocol::Trait::stream_polling))
        return sheet.skip("HTTP-5.client-polls", "clients of this revision need not resume streams");
    const auto& events = dialogue.record.events;
    const auto ended =
        std::ranges::find_if(events, [](const Event& event) { return event.text.starts_with(broken_event); });
    if (ended == events.end())
        return sheet.skip("HTTP-5.client-polls", "the client sends no request after the handshake");
    const auto resumed = std::find_if(ended, events.end(), [](const Event& event) {
        return event.method == "GET" && event.field("Last-Event-ID") == "kept-1";
    });
    sheet.expect(resumed != events.end(), "HTTP-5.client-polls", dialogue, last_event(dialogue),
                 "the client did not resume a stream that ended before its answer");
    if (resumed == events.end()) return;
    sheet.expect(resumed->at - ended->at >= retry_after - rounding, "HTTP-5.client-retry", dialogue,
                 static_cast<std::size_t>(resumed - events.begin()),
                 "the client reconnected before the `retry` time had passed");
}

void judge_closing(const Dialogue& dialogue, Sheet& sheet) {
    constexpr std::string_view rule = "STDIO-3.client-closes";
    if (!dialogue.record.ended) return sheet.skip(rule, "the client did not end by itself");
    std::map<std::size_t, Duration> closed;
    for (std::size_t i = 0; i < dialogue.record.events.size(); ++i) {
        const Event& event = dialogue.record.events[i];
        if (event.kind == Event::Kind::input_closed) closed.emplace(event.peer, event.at);
        if (event.kind != Event::Kind::terminated && event.kind != Event::Kind::vanished) continue;
        const auto end = closed.find(event.peer);
        sheet.expect(end != closed.end() && event.at - end->second >= shortest_wait, rule, dialogue, i,
                     end == closed.end()
                         ? "the client ended the server without closing its stdin first"
                         : "the client closed the server's stdin, but did not wait before it ended the server");
    }
    if (!closed.empty()) sheet.pass(rule, dialogue);
}

// Over HTTP, many messages of the server come on a stream. A client that does not read streams cannot be judged by
// them.
bool reads_streams(const Sheet& sheet) { return !sheet.failed("HTTP-3.client-stream"); }

void judge_http_scenes(const Dialogues& dialogues, const Dialogue& plain, Sheet& sheet) {
    judge_delete(plain, sheet);
    const Dialogue* streams = find(dialogues, Scene::event_streams);
    const bool got_405 = std::ranges::any_of(
        plain.record.events, [](const Event& event) { return event.method == "GET" && event.is_to(endpoint_path); });
    if (streams && got_405 && reads_streams(sheet))
        sheet.expect(std::ranges::includes(plain.methods, streams->methods), "HTTP-7.client-405", plain,
                     last_event(plain), "the client did not continue after its GET was answered with 405");
    if (const Dialogue* dialogue = find(dialogues, Scene::lost_session)) judge_lost_session(*dialogue, sheet);
    const Dialogue* polling = find(dialogues, Scene::polling);
    if (polling && reads_streams(sheet)) judge_polling(*polling, sheet);
}

void judge_what_comes_unasked(const Dialogues& dialogues, const Dialogue& plain, Sheet& sheet) {
    judge_going_on(plain, find(dialogues, Scene::stray_response), "RPC-9.client-stray-response",
                   "a response without a request", sheet);
    judge_going_on(plain, find(dialogues, Scene::unknown_notification), "RPC-5.client-unknown-notification",
                   "a notification that it does not know", sheet);
    if (const Dialogue* dialogue = find(dialogues, Scene::questions)) judge_answers_in(*dialogue, sheet);
}

}  // namespace

void judge_scenes(const Dialogues& dialogues, Sheet& sheet) {
    const Dialogue* plain = find(dialogues, Scene::plain);
    if (!plain) return;
    const Dialogue* none_common = find(dialogues, Scene::no_common_version);
    if (none_common) judge_no_common_version(*none_common, sheet);
    judge_newest_version(*plain, find(dialogues, Scene::newest_version), none_common && goes_on(*none_common), sheet);
    if (const Dialogue* dialogue = find(dialogues, Scene::bare)) judge_capabilities(*dialogue, sheet);
    if (plain->record.http)
        judge_going_on(*plain, find(dialogues, Scene::event_streams), "HTTP-3.client-stream",
                       "an answer that is a stream of events", sheet);
    if (reads_streams(sheet)) judge_what_comes_unasked(dialogues, *plain, sheet);
    judge_going_on(*plain, find(dialogues, Scene::odd_spelling), "INT-6.client-reading",
                   "messages that came in pieces, with unusual spelling", sheet);
    if (plain->record.http)
        judge_http_scenes(dialogues, *plain, sheet);
    else
        judge_closing(*plain, sheet);
}

}  // namespace tenon::check::client
