// PlayedServer: the server that the checker plays for a client. Messages in, messages out. It tolerates every mistake
// of the client: mistakes are judged later and must not stop the dialogue. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

#include "check/client/record.hpp"

namespace tenon::check::client {

/// One message of the server.
struct Say {
    std::string text = {};
    std::size_t about = 0;  ///< number of the client's message that caused this one
    bool answer = false;    ///< this is the response to it, and so the last message about it
};

class PlayedServer {
 public:
    /// `patience`: how long a response waits for the client's answers to questions.
    PlayedServer(Scene scene, Duration patience) : scene_(scene), patience_(patience) {}

    /// Handles a line or the body of a POST, numbered by the caller.
    std::vector<Say> take(std::size_t number, std::string_view text, TimePoint now);
    /// Sends delayed messages that are due.
    std::vector<Say> tick(TimePoint now);
    std::optional<TimePoint> deadline() const;

    /// Returns whether ordinary requests are served: after initialize, or always in 2026-07-28.
    bool introduced() const { return introduced_; }

 private:
    struct Held {
        Say say;
        TimePoint until;
        bool is_introduction = false;
    };

    void take_message(std::size_t number, const json::object& message);
    void take_request(std::size_t number, const json::object& request, std::string_view method);
    void take_response(const json::object& response);
    void introduce(std::size_t number, const json::value& id, const json::object& params);
    void serve(std::size_t number, const json::value& id, std::string_view method, const json::object& params);
    void serve_modern(std::size_t number, const json::value& id, std::string_view method, const json::object& params);
    bool ask_first(std::size_t number, std::string_view method, const json::object& params, const json::value& id);
    bool serve_task(std::size_t number, const json::value& id, std::string_view method, const json::object& params);
    bool refuse_headers(std::size_t number, const json::value& id, std::string_view method, const json::object& params);
    void disturb(std::size_t number);
    void ask(std::size_t number);
    void ask_what_must_be_refused(std::size_t number);
    void question(std::size_t number, json::value id, std::string_view method, json::object params);
    void say(std::size_t number, std::string text) { says_.push_back({std::move(text), number, false}); }
    void answer(std::size_t number, const json::value& id, json::object result);
    void refuse(std::size_t number, const json::value& id, int code, std::string_view why, json::value data = {});
    void release(bool introduction_only);
    std::vector<Say> spelled();

    Scene scene_;
    Duration patience_;
    TimePoint now_ = {};
    bool introduced_ = false, disturbed_ = false, asked_ = false, refused_headers_ = false;
    std::string revision_;              // of the handshake
    json::object capabilities_;         // of the client
    std::vector<json::value> waiting_;  // ids of open questions
    std::vector<Held> held_;
    std::vector<Say> says_;
};

/// Returns the revision of the server's response to a client that requests `asked`.
std::string answered_revision(Scene scene, std::string_view asked);

/// Returns the result of a method, or nothing for an unknown method.
std::optional<json::object> result_of(std::string_view method, const json::object& params, bool modern);
json::object capabilities_of(Scene scene);
/// Changes the list of tools as the scene needs it.
void change_tools(Scene scene, bool refused_headers, json::object& list);
/// Returns the result of a method about tasks, or of a call that is made as a task. Nothing for other methods.
std::optional<json::object> task_result_of(std::string_view method, const json::object& params);
json::object server_info();

/// Writes the same JSON in an unusual form: members in reverse order, white space, unnecessary escapes.
std::string oddly_spelled(std::string_view json);

/// Opaque values that a client must return unchanged.
inline constexpr std::string_view next_page = "page 2/\xC3\xBC+=%";
inline constexpr std::string_view request_state = "state \xC3\xBC/1+=\"%";
inline constexpr std::string_view mirrored_header = "Mcp-Param-Whom";
inline constexpr std::string_view changed_header = "Mcp-Param-Person";  ///< after the change in Scene::changed_headers

/// The ids of questions that a client must refuse: an elicitation of a mode that it did not declare, and sampling with
/// a tool_use that has no tool_result.
inline constexpr std::string_view undeclared_mode = "undeclared mode", unbalanced_turns = "unbalanced turns";

}  // namespace tenon::check::client
