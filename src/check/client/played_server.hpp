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
    void disturb(std::size_t number);
    void ask(std::size_t number);
    void question(std::size_t number, json::value id, std::string_view method, json::object params);
    void say(std::size_t number, std::string text) { says_.push_back({std::move(text), number, false}); }
    void answer(std::size_t number, const json::value& id, json::object result);
    void refuse(std::size_t number, const json::value& id, int code, std::string_view why, json::value data = {});
    void release(bool introduction_only);
    std::vector<Say> spelled();

    Scene scene_;
    Duration patience_;
    TimePoint now_ = {};
    bool introduced_ = false, disturbed_ = false, asked_ = false;
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
json::object server_info();

/// Writes the same JSON in an unusual form: members in reverse order, white space, unnecessary escapes.
std::string oddly_spelled(std::string_view json);

/// Opaque values that a client must return unchanged.
inline constexpr std::string_view next_page = "page 2/\xC3\xBC+=%";
inline constexpr std::string_view request_state = "state \xC3\xBC/1+=\"%";
inline constexpr std::string_view mirrored_header = "Mcp-Param-Whom";

}  // namespace tenon::check::client
