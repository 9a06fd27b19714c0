// Judges the HTTP headers of the client's requests.
#include <algorithm>

#include "check/client/judge.hpp"
#include "check/client/played_http_server.hpp"
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

void judge_post(const Dialogue& dialogue, std::size_t at, Sheet& sheet) {
    const Event& event = dialogue.record.events[at];
    const std::string accept = event.field("Accept").value_or("");
    sheet.expect(lists(accept, "application/json") && lists(accept, "text/event-stream"), "HTTP-1.client-accept",
                 dialogue, at, "the Accept of a POST does not list application/json and text/event-stream");
    sheet.expect(lists(event.field("Content-Type").value_or(""), "application/json"), "HTTP-1.client-content-type",
                 dialogue, at, "the Content-Type of a POST is not application/json");
}

// 2025-06-18 introduced the header and removed batches.
bool has_version_header(const Dialogue& dialogue) { return !dialogue.rules().has(protocol::Trait::batches); }

void judge_version(const Dialogue& dialogue, std::size_t at, Sheet& sheet) {
    const auto version = dialogue.record.events[at].field("MCP-Protocol-Version");
    sheet.expect(version.has_value(), "HTTP-4.client-version-header", dialogue, at,
                 "a request after the handshake has no MCP-Protocol-Version");
    if (version)
        sheet.expect(*version == dialogue.revision, "HTTP-4.client-negotiated", dialogue, at,
                     "MCP-Protocol-Version is " + *version + ", but " + dialogue.revision + " was agreed on");
}

void judge_session(const Dialogue& dialogue, std::size_t at, Sheet& sheet) {
    const auto session = dialogue.record.events[at].field("Mcp-Session-Id");
    const bool given = dialogue.record.scene != Scene::other_version;
    if (given)
        sheet.expect(session && session->starts_with("session-"), "HTTP-9.client-session", dialogue, at,
                     "a request does not have the Mcp-Session-Id that the server gave");
    else
        sheet.expect(!session, "HTTP-9.client-no-session", dialogue, at,
                     "a request has an Mcp-Session-Id, but the server gave none");
}

bool begins_session(const Dialogue& dialogue, std::size_t at) {
    return std::ranges::any_of(dialogue.messages, [at](const Message& m) {
        return m.event == at && (m.is_request("initialize") || m.modern);
    });
}

// After the first 404 the session is lost, so its headers are not judged any more.
bool is_lost(const Dialogue& dialogue, std::size_t at) {
    const auto lost = std::ranges::find(dialogue.record.events, 404, &Event::status);
    return static_cast<std::size_t>(lost - dialogue.record.events.begin()) < at;
}

// A message that comes before notifications/initialized may have been sent before the response to `initialize` arrived,
// so it cannot have what that response gives. A ping may be sent so early, and LIFE-3 judges the others.
bool may_be_early(const Dialogue& dialogue, std::size_t at) {
    return dialogue.initialized && at < dialogue.messages[*dialogue.initialized].event;
}

void judge_legacy_head(const Dialogue& dialogue, std::size_t at, Sheet& sheet) {
    if (!dialogue.answered || at < *dialogue.answered || begins_session(dialogue, at) || is_lost(dialogue, at)) return;
    if (may_be_early(dialogue, at)) return;
    if (dialogue.record.scene == Scene::no_common_version) return;
    judge_session(dialogue, at, sheet);
    if (has_version_header(dialogue)) judge_version(dialogue, at, sheet);
}

void judge_heads(const Dialogue& dialogue, Sheet& sheet) {
    for (std::size_t at = 0; at < dialogue.record.events.size(); ++at) {
        const Event& event = dialogue.record.events[at];
        if (!is_request(event) || !event.is_to(endpoint_path)) continue;
        if (event.method == "POST") judge_post(dialogue, at, sheet);
        if (event.method == "GET")
            sheet.expect(lists(event.field("Accept").value_or(""), "text/event-stream"), "HTTP-7.client-accept",
                         dialogue, at, "the Accept of a GET does not list text/event-stream");
        if (!is_modern(dialogue.record.scene)) judge_legacy_head(dialogue, at, sheet);
    }
}

}  // namespace

void judge_http(const Dialogues& dialogues, Sheet& sheet) {
    for (const auto& [scene, dialogue] : dialogues)
        if (dialogue.record.http) judge_heads(dialogue, sheet);
}

}  // namespace tenon::check::client
