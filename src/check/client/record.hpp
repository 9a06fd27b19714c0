// The record of one run of the client under test: all messages in both directions, in order. Data only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/check.hpp>

namespace tenon::check::client {

/// The behaviour of the server in one run. The client is started once per scene.
enum class Scene {
    plain,                 ///< a normal server: the reference for the other scenes
    bare,                  ///< has only tools
    questions,             ///< asks questions before it responds
    stray_response,        ///< sends a response that belongs to no request
    unknown_notification,  ///< sends notifications with unknown methods or about unknown things
    odd_spelling,          ///< sends messages in pieces, with unusual escapes, white space and member order
    no_common_version,     ///< answers `initialize` with an unknown revision
    newest_version,        ///< supports only the newest revision with a handshake
    other_version,         ///< supports another revision than the requested one
    tasks,                 ///< requires a task for the call of a tool (2025-11-25)
    event_streams,         ///< HTTP: responds with event streams
    polling,               ///< HTTP: ends a stream before its response
    lost_session,          ///< HTTP: forgets the session
    modern,                ///< supports only 2026-07-28
    modern_questions,      ///< the same, and asks questions with input_required
    changed_headers,       ///< HTTP: supports only 2026-07-28, and its tool names another header after the first call
};
std::string_view to_string(Scene scene);
/// Returns whether the scene uses 2026-07-28.
bool is_modern(Scene scene);

struct Event {
    enum class Kind {
        opened,        ///< stdio: the client started the server
        line,          ///< stdio: a line from the client, without "\n"
        rest,          ///< stdio: the input ended inside a line
        request,       ///< HTTP: method, target, fields, and the body as text
        sent,          ///< the server sent a message; HTTP: with the status, also without a message
        input_closed,  ///< stdio: the client closed the server's stdin
        terminated,    ///< stdio: the server got SIGTERM
        vanished,      ///< stdio: the server was killed
        exited,        ///< the client exited; `text` says how
    };
    Kind kind = Kind::line;
    Duration at = {};      ///< time since the client was started
    std::size_t peer = 0;  ///< stdio: number of the server process; HTTP: 0
    std::string text = {};
    std::string method = {}, target = {};
    std::vector<std::pair<std::string, std::string>> fields = {};
    int status = 0;

    /// Returns the first field with this name, ignoring case.
    std::optional<std::string> field(std::string_view name) const;
    /// Returns whether this is an HTTP request to the path.
    bool is_to(std::string_view path) const { return std::string_view(target).substr(0, target.find('?')) == path; }
};

struct Record {
    Scene scene = Scene::plain;
    bool http = false;
    std::vector<Event> events = {};
    std::string errors = {};  ///< the end of the client's stderr
    bool ended = false;       ///< the client exited by itself
};

/// Returns the last events up to this one, as evidence. Contains a message in each direction, or says that there is
/// none.
std::vector<Evidence> evidence(const Record& record, std::size_t event, std::size_t max_bytes, std::size_t before = 2);

}  // namespace tenon::check::client
