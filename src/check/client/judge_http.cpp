// Judges the HTTP headers of the client's requests.
#include <algorithm>

#include "check/client/judge.hpp"
#include "framing/http_fields.hpp"

namespace tenon::check::client {
namespace {

bool lists(std::string_view header, std::string_view type) {
    bool found = false;
    framing::each_element(header, [&](std::string_view element) {
        found = found || framing::equal_ignoring_case(framing::trimmed(element.substr(0, element.find(';'))), type);
    });
    return found;
}

bool is_request(const Event& event) { return event.kind == Event::Kind::request; }

void judge_post(const Play& play, std::size_t at, Sheet& sheet) {
    const Event& event = play.record.events[at];
    const std::string accept = event.field("Accept").value_or("");
    sheet.expect(lists(accept, "application/json") && lists(accept, "text/event-stream"), "HTTP-1.client-accept", play,
                 at, "the Accept of a POST does not list application/json and text/event-stream");
    sheet.expect(lists(event.field("Content-Type").value_or(""), "application/json"), "HTTP-1.client-content-type",
                 play, at, "the Content-Type of a POST is not application/json");
}

// 2025-06-18 introduced the header and removed batches.
bool has_version_header(const Play& play) { return !play.rules().has(protocol::Trait::batches); }

void judge_version(const Play& play, std::size_t at, Sheet& sheet) {
    const auto version = play.record.events[at].field("MCP-Protocol-Version");
    sheet.expect(version.has_value(), "HTTP-4.client-version-header", play, at,
                 "a request after the handshake has no MCP-Protocol-Version");
    if (version)
        sheet.expect(*version == play.revision, "HTTP-4.client-negotiated", play, at,
                     "MCP-Protocol-Version is " + *version + ", but " + play.revision + " was agreed on");
}

void judge_session(const Play& play, std::size_t at, Sheet& sheet) {
    const auto session = play.record.events[at].field("Mcp-Session-Id");
    const bool given = play.record.scene != Scene::other_version;
    if (given)
        sheet.expect(session && session->starts_with("session-"), "HTTP-9.client-session", play, at,
                     "a request does not have the Mcp-Session-Id that the server gave");
    else
        sheet.expect(!session, "HTTP-9.client-no-session", play, at,
                     "a request has an Mcp-Session-Id, but the server gave none");
}

bool begins_session(const Play& play, std::size_t at) {
    return std::ranges::any_of(
        play.messages, [at](const Message& m) { return m.event == at && (m.is_request("initialize") || m.modern); });
}

// After the first 404 the session is lost, so its headers are not judged any more.
bool is_lost(const Play& play, std::size_t at) {
    const auto lost = std::ranges::find(play.record.events, 404, &Event::status);
    return static_cast<std::size_t>(lost - play.record.events.begin()) < at;
}

void judge_legacy_head(const Play& play, std::size_t at, Sheet& sheet) {
    if (!play.answered || at < *play.answered || begins_session(play, at) || is_lost(play, at)) return;
    if (play.record.scene == Scene::no_common_version) return;
    judge_session(play, at, sheet);
    if (has_version_header(play)) judge_version(play, at, sheet);
}

}  // namespace

void judge_http(const Play& play, Sheet& sheet) {
    for (std::size_t at = 0; at < play.record.events.size(); ++at) {
        const Event& event = play.record.events[at];
        if (!is_request(event)) continue;
        if (event.method == "POST") judge_post(play, at, sheet);
        if (event.method == "GET")
            sheet.expect(lists(event.field("Accept").value_or(""), "text/event-stream"), "HTTP-7.client-accept", play,
                         at, "the Accept of a GET does not list text/event-stream");
        if (!is_modern(play.record.scene)) judge_legacy_head(play, at, sheet);
    }
}

}  // namespace tenon::check::client
