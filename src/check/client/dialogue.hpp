// Interprets a record: the client's messages, its handshake, and its later requests. Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

#include "check/client/record.hpp"
#include "check/wire/reading.hpp"
#include "protocol/versions.hpp"

namespace tenon::check::client {

/// One message of the client.
struct Message {
    enum class Kind { request, notification, response, none };
    Kind kind = Kind::none;  ///< none: not a valid message
    std::size_t event = 0;   ///< index in the record
    std::size_t peer = 0;
    json::object body = {};
    std::string method = {};
    bool modern = false;  ///< its `_meta` names a revision
    bool in_batch = false;

    const json::value* id() const { return body.if_contains("id"); }
    const json::object& params() const;
    const json::object& meta() const;
    bool is_request(std::string_view name) const { return kind == Kind::request && method == name; }
};

/// A request of the server, which the client must answer.
struct Question {
    json::value id;
    std::string method;
    std::size_t event = 0;
};

/// One text from the client: a line, or the body of a POST. It should be a message or a batch.
struct Text {
    std::size_t event = 0;
    Reading reading = {};
    bool spread = false;  ///< stdio: one message over several lines
};

struct Dialogue {
    explicit Dialogue(const Record& of);

    const Record& record;
    std::vector<Text> texts = {};
    std::vector<Message> messages = {};
    std::vector<Question> questions = {};
    /// The first handshake: `initialize`, the event that answers it, and notifications/initialized.
    std::optional<std::size_t> initialize = {}, answered = {}, initialized = {};
    std::string asked_revision = {},
                revision = {};           ///< revision: from the server's response; 2026-07-28 in modern scenes
    std::set<std::string> methods = {};  ///< of ordinary requests after the introduction
    bool speaks_modern = false;          ///< the client sent a request that names its revision

    protocol::Rules rules() const;
    Duration at(std::size_t event) const { return record.events[event].at; }
    const Message* introduction() const { return initialize ? &messages[*initialize] : nullptr; }

 private:
    void read_texts();
    std::size_t join_lines(std::size_t event, Reading& reading) const;
    void read_messages();
    void add_message(const Text& text, const json::object& body, bool in_batch);
    void read_questions();
    void read_handshake();
};

/// Returns whether the message is allowed before the handshake: a ping, or a request that names its revision.
bool may_come_first(const Message& message);

const json::object& object_member(const json::object& of, std::string_view name);
std::string string_member(const json::object& of, std::string_view name);

}  // namespace tenon::check::client
