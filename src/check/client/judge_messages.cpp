// Judges the rules that hold for every message. Each defect is charged to one rule only.
#include <algorithm>
#include <cmath>

#include "check/client/judge.hpp"
#include "check/client/played_server.hpp"

namespace tenon::check::client {
namespace {

using protocol::Trait;

// Also accepts 7.0: languages without an integer type write integers like this.
bool is_integer(const json::value& v) {
    return v.is_int64() || v.is_uint64() || (v.is_double() && std::trunc(v.get_double()) == v.get_double());
}

bool is_id(const json::value& id) { return id.is_string() || is_integer(id); }

void judge_text(const Dialogue& dialogue, const Text& text, Sheet& sheet) {
    const TextDefect defect = text.reading.defect;
    const bool encoded = defect != TextDefect::not_utf8 && defect != TextDefect::byte_order_mark;
    sheet.expect(encoded, "RPC-2.client-utf8", dialogue, text.event,
                 "a message is not plain UTF-8: " + text.reading.why);
    sheet.expect(defect != TextDefect::control_character, "INT-2.client-characters", dialogue, text.event,
                 "a message has a character that JSON does not allow: " + text.reading.why);
    sheet.expect(defect != TextDefect::lone_surrogate, "INT-2.client-surrogates", dialogue, text.event,
                 "a message has half of a surrogate pair: " + text.reading.why);
    if (!dialogue.record.http)
        sheet.expect(!text.spread, "INT-1.client-one-line", dialogue, text.event, "a message goes over several lines");
}

// Returns whether the text is a message or a batch of messages.
bool holds_messages(const Text& text) {
    if (!text.reading.value) return false;
    const json::array* batch = text.reading.value->if_array();
    return text.reading.value->is_object() || (batch && !batch->empty());
}

void judge_shape(const Dialogue& dialogue, const Text& text, Sheet& sheet) {
    const std::string_view rule = dialogue.record.http ? "HTTP-1.client-message" : "STDIO-2.client-only-messages";
    sheet.expect(holds_messages(text), rule, dialogue, text.event, "the client sent text that is not a message");
    const bool batch = text.reading.value && text.reading.value->is_array();
    if (holds_messages(text))
        sheet.expect(!batch || dialogue.rules().has(Trait::batches), "RPC-12.client-batch", dialogue, text.event,
                     "several messages were sent as one array");
}

void judge_request_members(const Dialogue& dialogue, const Message& m, Sheet& sheet) {
    if (m.kind == Message::Kind::request)
        sheet.expect(is_id(*m.id()), "RPC-3.client-id", dialogue, m.event,
                     "the id of a request is neither a string nor an integer");
    if (m.kind == Message::Kind::notification)
        sheet.expect(!m.id(), "RPC-5.client-no-id", dialogue, m.event, "the notification `" + m.method + "` has an id");
    if (const json::value* params = m.body.if_contains("params"))
        sheet.expect(params->is_object(), "RPC-3.client-params", dialogue, m.event,
                     "the params of a message are not an object");
}

void judge_response_members(const Dialogue& dialogue, const Message& m, Sheet& sheet) {
    sheet.expect(m.body.contains("result") != m.body.contains("error"), "RPC-4.client-one-of", dialogue, m.event,
                 "a response must have either a result or an error");
    const json::value* error = m.body.if_contains("error");
    if (!error) return;
    const json::object* members = error->if_object();
    const json::value* code = members ? members->if_contains("code") : nullptr;
    const json::value* words = members ? members->if_contains("message") : nullptr;
    sheet.expect(code && is_integer(*code) && words && words->is_string(), "RPC-6.client-error", dialogue, m.event,
                 "the error of a response needs an integer `code` and a string `message`");
}

void judge_envelope(const Dialogue& dialogue, const Message& m, Sheet& sheet) {
    const json::value* version = m.body.if_contains("jsonrpc");
    sheet.expect(version && version->is_string() && version->get_string() == "2.0", "RPC-1.client-version", dialogue,
                 m.event, "a message does not say \"jsonrpc\": \"2.0\"");
    const json::value* method = m.body.if_contains("method");
    if (method || m.kind == Message::Kind::none)
        sheet.expect(method && method->is_string(), "RPC-3.client-method", dialogue, m.event,
                     "a message has no method that is a string");
    if (m.kind == Message::Kind::response)
        judge_response_members(dialogue, m, sheet);
    else
        judge_request_members(dialogue, m, sheet);
}

// Finds the session of a message. Over stdio, each server process is a session. Over HTTP, `initialize` begins one.
class Sessions {
 public:
    std::string of(const Dialogue& dialogue, const Message& m) {
        if (!dialogue.record.http) return std::to_string(m.peer);
        const auto session = dialogue.record.events[m.event].field("Mcp-Session-Id");
        if (m.is_request("initialize") && !session) ++count_;
        return session ? *session : std::to_string(count_);
    }

 private:
    std::size_t count_ = 0;
};

// Up to 2025-11-25 each id may be used only once in a session, and the id of `initialize` counts too. In later
// revisions an id may be used again after its response.
void judge_ids(const Dialogue& dialogue, Sheet& sheet) {
    std::set<std::string> used;
    Sessions sessions;
    for (const Message& m : dialogue.messages) {
        const std::string session = sessions.of(dialogue, m);
        if (m.kind != Message::Kind::request || m.modern || !is_id(*m.id())) continue;
        sheet.expect(used.insert(session + " " + json::write(*m.id())).second, "RPC-10.client-unique-ids", dialogue,
                     m.event, "the id " + json::write(*m.id()) + " was used before in this session");
    }
}

void judge_ends(const Dialogue& dialogue, Sheet& sheet) {
    for (std::size_t i = 0; i < dialogue.record.events.size(); ++i) {
        const Event& event = dialogue.record.events[i];
        if (event.kind == Event::Kind::rest)
            sheet.fail("INT-1.client-ended", dialogue, i, "the last message has no newline at its end");
        if (event.kind == Event::Kind::input_closed) sheet.pass("INT-1.client-ended", dialogue);
    }
}

void judge_tokens(const Dialogue& dialogue, const Message& m, Sheet& sheet) {
    if (m.kind != Message::Kind::request) return;
    const json::value* token = m.meta().if_contains("progressToken");
    if (token)
        sheet.expect(is_id(*token), "LIFE-17.client-token", dialogue, m.event,
                     "the progress token is neither a string nor an integer");
    const json::value* cursor = m.params().if_contains("cursor");
    if (cursor)
        sheet.expect(*cursor == json::value(next_page), "TOOL-4.client-cursor", dialogue, m.event,
                     "the cursor is not the one that the server gave");
}

// A client may cancel only its own requests, and never `initialize`.
void judge_cancellations(const Dialogue& dialogue, Sheet& sheet) {
    for (const Message& m : dialogue.messages) {
        if (m.method != "notifications/cancelled") continue;
        const json::value* id = m.params().if_contains("requestId");
        const auto named = [&](const Message& other) {
            return other.kind == Message::Kind::request && other.event < m.event && other.peer == m.peer && id &&
                   *other.id() == *id && other.method != "initialize";
        };
        sheet.expect(std::ranges::any_of(dialogue.messages, named), "LIFE-16.client-cancel", dialogue, m.event,
                     "the client cancelled something other than one of its own cancellable requests");
    }
}

void judge_record(const Dialogue& dialogue, Sheet& sheet) {
    for (const Text& text : dialogue.texts) {
        judge_text(dialogue, text, sheet);
        judge_shape(dialogue, text, sheet);
    }
    for (const Message& m : dialogue.messages) {
        judge_envelope(dialogue, m, sheet);
        judge_tokens(dialogue, m, sheet);
    }
    judge_ids(dialogue, sheet);
    judge_ends(dialogue, sheet);
    judge_cancellations(dialogue, sheet);
}

}  // namespace

void judge_messages(const Dialogues& dialogues, Sheet& sheet) {
    for (const auto& [scene, dialogue] : dialogues) judge_record(dialogue, sheet);
}

}  // namespace tenon::check::client
