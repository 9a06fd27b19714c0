// Judges rules by comparing scenes: the same client with a server that behaves differently.
#include <algorithm>

#include "check/client/judge.hpp"
#include "check/client/web_role.hpp"

namespace tenon::check::client {
namespace {

constexpr Duration rounding = std::chrono::milliseconds(20);  // the precision of the client's timers

// A client that waits for its server to exit waits at least this long.
constexpr Duration shortest_wait = std::chrono::milliseconds(100);

const Play* find(const Plays& plays, Scene scene) {
    const auto it = plays.find(scene);
    return it == plays.end() ? nullptr : &it->second;
}

std::size_t last_event(const Play& play) { return play.record.events.empty() ? 0 : play.record.events.size() - 1; }

// The client must send all requests of the plain scene in this scene too.
void judge_going_on(const Play& plain, const Play* play, std::string_view rule, std::string_view what, Sheet& sheet) {
    if (!play) return;
    if (plain.methods.empty()) return sheet.skip(rule, "the client asks for nothing after the handshake");
    const bool all = std::ranges::includes(play->methods, plain.methods);
    sheet.expect(all, rule, *play, last_event(*play), "the client did not go on after " + std::string(what));
}

// Returns whether the client sent requests or notifications after the response to `initialize`.
bool goes_on(const Play& play) {
    return std::ranges::any_of(play.messages, [&](const Message& m) {
        return play.answered && m.event > *play.answered && m.kind != Message::Kind::response &&
               m.method != "notifications/cancelled";
    });
}

void judge_no_common_version(const Play& play, Sheet& sheet) {
    constexpr std::string_view rule = "LIFE-9.client-disconnects";
    if (!play.answered) return;
    const bool left = play.record.ended || std::ranges::any_of(play.record.events, [](const Event& event) {
                          return event.kind == Event::Kind::input_closed || event.kind == Event::Kind::terminated;
                      });
    if (goes_on(play))
        sheet.fail(rule, play, last_event(play), "the client went on in an unknown revision");
    else
        sheet.expect(left || play.record.http, rule, play, last_event(play), "the client stays connected");
}

void judge_newest_version(const Play& plain, const Play* play, Sheet& sheet) {
    constexpr std::string_view rule = "LIFE-7.client-newest";
    if (!play) {
        if (plain.answered && !plain.asked_revision.empty()) sheet.pass(rule, plain);
    } else if (play->answered) {
        sheet.expect(!goes_on(*play), rule, *play, *play->answered,
                     "the client supports " + play->revision + ", but asked for " + play->asked_revision);
    }
}

// The server declared only tools.
void judge_capabilities(const Play& play, Sheet& sheet) {
    constexpr std::string_view rule = "LIFE-10.client-capability";
    for (const Message& m : play.messages) {
        const protocol::Method* method = play.rules().method(m.method, protocol::Sender::client);
        if (m.kind != Message::Kind::request || m.modern || !method) continue;
        const bool may = method->needs == protocol::Needs::nothing || method->needs == protocol::Needs::tools;
        sheet.expect(may, rule, play, m.event, "`" + m.method + "` was sent to a server that does not declare it");
    }
}

void judge_lost_session(const Play& play, Sheet& sheet) {
    constexpr std::string_view rule = "HTTP-10.client-new-session";
    const auto& events = play.record.events;
    const auto lost = std::ranges::find(events, 404, &Event::status);
    if (lost == events.end()) return sheet.skip(rule, "the client asks for nothing after the handshake");
    const auto at = static_cast<std::size_t>(lost - events.begin());
    const bool anew = std::ranges::any_of(play.messages, [&](const Message& m) {
        return m.event > at && m.is_request("initialize") && !events[m.event].field("Mcp-Session-Id");
    });
    sheet.expect(anew, rule, play, at, "after 404 the client did not begin a new session");
}

void judge_delete(const Play& play, Sheet& sheet) {
    constexpr std::string_view rule = "HTTP-10.client-delete";
    if (!play.record.ended) return sheet.skip(rule, "the client did not end by itself");
    const bool deleted = std::ranges::any_of(play.record.events, [](const Event& event) {
        return event.method == "DELETE" && event.field("Mcp-Session-Id").has_value();
    });
    if (play.answered) sheet.expect(deleted, rule, play, last_event(play), "the client did not end its session");
}

void judge_polling(const Play& play, Sheet& sheet) {
    if (!play.rules().has(protocol::Trait::stream_polling))
        return sheet.skip("HTTP-5.client-polls", "streams of this revision need not be taken up again");
    const auto& events = play.record.events;
    const auto ended =
        std::ranges::find_if(events, [](const Event& event) { return event.text.starts_with(broken_event); });
    if (ended == events.end())
        return sheet.skip("HTTP-5.client-polls", "the client asks for nothing after the handshake");
    const auto resumed = std::find_if(ended, events.end(), [](const Event& event) {
        return event.method == "GET" && event.field("Last-Event-ID") == "kept-1";
    });
    sheet.expect(resumed != events.end(), "HTTP-5.client-polls", play, last_event(play),
                 "the client did not take up a stream that ended before its answer");
    if (resumed == events.end()) return;
    sheet.expect(resumed->at - ended->at >= retry_after - rounding, "HTTP-5.client-retry", play,
                 static_cast<std::size_t>(resumed - events.begin()), "the client came back before `retry` was over");
}

void judge_closing(const Play& play, Sheet& sheet) {
    constexpr std::string_view rule = "STDIO-3.client-closes";
    if (!play.record.ended) return sheet.skip(rule, "the client did not end by itself");
    std::map<std::size_t, Duration> closed;
    for (std::size_t i = 0; i < play.record.events.size(); ++i) {
        const Event& event = play.record.events[i];
        if (event.kind == Event::Kind::input_closed) closed.emplace(event.peer, event.at);
        if (event.kind != Event::Kind::terminated && event.kind != Event::Kind::vanished) continue;
        const auto end = closed.find(event.peer);
        sheet.expect(end != closed.end() && event.at - end->second >= shortest_wait, rule, play, i,
                     end == closed.end() ? "the client ended the server without closing its stdin first"
                                         : "the client closed the server's stdin, and did not wait before it ended it");
    }
    if (!closed.empty()) sheet.pass(rule, play);
}

// Over HTTP, many messages of the server come on a stream. A client that does not read streams cannot be judged by
// them.
bool reads_streams(const Sheet& sheet) { return !sheet.failed("HTTP-3.client-stream"); }

void judge_http_scenes(const Plays& plays, const Play& plain, Sheet& sheet) {
    judge_delete(plain, sheet);
    const Play* streams = find(plays, Scene::event_streams);
    const bool got_405 =
        std::ranges::any_of(plain.record.events, [](const Event& event) { return event.method == "GET"; });
    if (streams && got_405 && reads_streams(sheet))
        sheet.expect(std::ranges::includes(plain.methods, streams->methods), "HTTP-7.client-405", plain,
                     last_event(plain), "the client did not go on after its GET was answered with 405");
    if (const Play* play = find(plays, Scene::lost_session)) judge_lost_session(*play, sheet);
    const Play* polling = find(plays, Scene::polling);
    if (polling && reads_streams(sheet)) judge_polling(*polling, sheet);
}

void judge_what_comes_unasked(const Plays& plays, const Play& plain, Sheet& sheet) {
    judge_going_on(plain, find(plays, Scene::stray_response), "RPC-9.client-stray-response",
                   "a response without a request", sheet);
    judge_going_on(plain, find(plays, Scene::unknown_notification), "RPC-5.client-unknown-notification",
                   "a notification that it does not know", sheet);
    if (const Play* play = find(plays, Scene::questions)) judge_answers(*play, sheet);
}

}  // namespace

void judge_scenes(const Plays& plays, Sheet& sheet) {
    const Play* plain = find(plays, Scene::plain);
    if (!plain) return;
    judge_newest_version(*plain, find(plays, Scene::newest_version), sheet);
    if (const Play* play = find(plays, Scene::no_common_version)) judge_no_common_version(*play, sheet);
    if (const Play* play = find(plays, Scene::bare)) judge_capabilities(*play, sheet);
    if (plain->record.http)
        judge_going_on(*plain, find(plays, Scene::event_streams), "HTTP-3.client-stream",
                       "an answer that is a stream of events", sheet);
    if (reads_streams(sheet)) judge_what_comes_unasked(plays, *plain, sheet);
    judge_going_on(*plain, find(plays, Scene::odd_spelling), "INT-6.client-reading",
                   "messages that came in pieces, with unusual spelling", sheet);
    if (plain->record.http)
        judge_http_scenes(plays, *plain, sheet);
    else
        judge_closing(*plain, sheet);
}

}  // namespace tenon::check::client
