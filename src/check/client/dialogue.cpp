#include "check/client/dialogue.hpp"

#include <algorithm>

#include "check/client/played_http_server.hpp"
#include "framing/line_framer.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::check::client {
namespace {

constexpr std::size_t most_joined_lines = 1000;
const json::object no_members;

Message::Kind kind_of(const json::object& body, const std::string& method) {
    if (!method.empty()) {
        const bool notifies = method.starts_with("notifications/");
        return body.contains("id") && !notifies ? Message::Kind::request : Message::Kind::notification;
    }
    const bool answers = body.contains("id") || body.contains("result") || body.contains("error");
    return answers && !body.contains("method") ? Message::Kind::response : Message::Kind::none;
}

}  // namespace

const json::object& object_member(const json::object& of, std::string_view name) {
    const json::value* member = of.if_contains(name);
    return member && member->is_object() ? member->get_object() : no_members;
}

std::string string_member(const json::object& of, std::string_view name) {
    const json::value* member = of.if_contains(name);
    return member && member->is_string() ? std::string(member->get_string()) : std::string();
}

const json::object& Message::params() const { return object_member(body, "params"); }
const json::object& Message::meta() const { return object_member(params(), "_meta"); }

bool may_come_first(const Message& message) { return message.method == "ping" || message.modern; }

Dialogue::Dialogue(const Record& of) : record(of) {
    read_texts();
    read_messages();
    read_questions();
    read_handshake();
}

protocol::Rules Dialogue::rules() const {
    return protocol::Rules(protocol::revision(revision).value_or(protocol::legacy_revisions().front()));
}

void Dialogue::read_texts() {
    for (std::size_t i = 0; i < record.events.size(); ++i) {
        const Event& event = record.events[i];
        const bool posted = event.kind == Event::Kind::request && event.method == "POST" && event.is_to(endpoint_path);
        const bool line = event.kind == Event::Kind::line && !framing::is_blank(event.text);
        if (!posted && !line) continue;
        Reading reading = read_patiently(event.text);
        const std::size_t last = line && !reading.value ? join_lines(i, reading) : i;
        texts.push_back({i, std::move(reading), last != i});
        i = last;
    }
}

// A line that is not JSON may be the beginning of a message with newlines. Returns the last event of that message.
std::size_t Dialogue::join_lines(std::size_t event, Reading& reading) const {
    std::string all = record.events[event].text;
    const std::size_t end = std::min(record.events.size(), event + most_joined_lines);
    for (std::size_t i = event + 1; i < end; ++i) {
        if (record.events[i].kind != Event::Kind::line) continue;
        all += "\n" + record.events[i].text;
        Reading joined = read_patiently(all);
        if (!joined.value) continue;
        reading = std::move(joined);
        return i;
    }
    return event;
}

void Dialogue::read_messages() {
    for (const Text& text : texts) {
        if (!text.reading.value) continue;
        if (const json::object* one = text.reading.value->if_object()) add_message(text, *one, false);
        if (const json::array* batch = text.reading.value->if_array())
            for (const json::value& item : *batch)
                if (const json::object* one = item.if_object()) add_message(text, *one, true);
    }
}

void Dialogue::add_message(const Text& text, const json::object& body, bool in_batch) {
    Message out{.event = text.event, .peer = record.events[text.event].peer, .body = body, .in_batch = in_batch};
    out.method = string_member(body, "method");
    out.kind = kind_of(body, out.method);
    out.modern = out.meta().contains(protocol::meta_key::version);
    speaks_modern = speaks_modern || out.modern;
    messages.push_back(std::move(out));
}

void Dialogue::read_questions() {
    for (std::size_t i = 0; i < record.events.size(); ++i) {
        if (record.events[i].kind != Event::Kind::sent) continue;
        const auto said = json::parse(record.events[i].text);
        const json::object* message = said ? said->if_object() : nullptr;
        if (message && message->contains("method") && message->contains("id"))
            questions.push_back({message->at("id"), string_member(*message, "method"), i});
    }
}

void Dialogue::read_handshake() {
    if (is_modern(record.scene)) revision = protocol::Rules(protocol::modern_revision()).name();
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Message& m = messages[i];
        if (!initialize && m.is_request("initialize")) initialize = i;
        if (!initialized && m.method == "notifications/initialized") initialized = i;
    }
    if (initialize) asked_revision = string_member(introduction()->params(), "protocolVersion");
    for (std::size_t i = initialize ? introduction()->event : record.events.size(); i < record.events.size(); ++i) {
        const auto said = record.events[i].kind == Event::Kind::sent ? json::parse(record.events[i].text)
                                                                     : Result<json::value>(Error{});
        const json::object* message = said ? said->if_object() : nullptr;
        const std::string answer = message ? string_member(object_member(*message, "result"), "protocolVersion") : "";
        if (answer.empty()) continue;
        answered = i;
        revision = answer;
        break;
    }
    for (const Message& m : messages)
        if (m.kind == Message::Kind::request && m.method != "initialize" && m.method != "ping" &&
            m.method != "server/discover" && m.modern == is_modern(record.scene))
            methods.insert(m.method);
}

}  // namespace tenon::check::client
