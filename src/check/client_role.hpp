// The server that a client is checked with, as messages: text in, text out. Small, and patient with whatever comes:
// what a client does wrong is judged later, and must not keep it from going on. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

#include "check/client_record.hpp"

namespace tenon::check::client {

/// Something that the server says.
struct Say {
    std::string text = {};
    std::size_t about = 0;  ///< the number of the client's message that it belongs to
    bool answer = false;    ///< the last that is said about it
};

class Role {
 public:
    /// `patience`: how long an answer waits for the client's answers.
    Role(Scene scene, Duration patience) : scene_(scene), patience_(patience) {}

    /// A line, or the body of a POST, which the caller has given a number.
    std::vector<Say> take(std::size_t number, std::string_view text, TimePoint now);
    /// Says what was held back until now.
    std::vector<Say> tick(TimePoint now);
    std::optional<TimePoint> deadline() const;

    /// After initialize, or in 2026-07-28: ordinary requests are served.
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
    std::vector<json::value> waiting_;  // ids of questions that are not answered
    std::vector<Held> held_;
    std::vector<Say> says_;
};

/// The revision that the server answers with when it is asked for `asked`.
std::string answered_revision(Scene scene, std::string_view asked);

/// The results of the little server's methods; nothing when there is no such method.
std::optional<json::object> result_of(std::string_view method, const json::object& params, bool modern);
json::object capabilities_of(Scene scene);
json::object server_info();

/// The same JSON, as few write it: members the other way round, white space, escapes where none are needed.
std::string oddly_spelled(std::string_view json);

/// Opaque things that a client has to give back as they are.
inline constexpr std::string_view next_page = "page 2/\xC3\xBC+=%";
inline constexpr std::string_view request_state = "state \xC3\xBC/1+=\"%";
inline constexpr std::string_view mirrored_header = "Mcp-Param-Whom";

}  // namespace tenon::check::client
