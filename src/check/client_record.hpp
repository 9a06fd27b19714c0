// What happened while a client was played to: everything it sent and was sent, in order. Data only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/check.hpp>

namespace tenon::check::client {

/// What the server does in one run of the client. The client is started once for each.
enum class Scene {
    plain,                 ///< nothing special: what the client does here is what it does
    bare,                  ///< the server has tools, and nothing else
    questions,             ///< the server asks before it answers
    stray_response,        ///< a response that nobody waits for
    unknown_notification,  ///< notifications that the client cannot know, or that are about nothing
    odd_spelling,          ///< messages in pieces, with other spelling and order than is usual
    no_common_version,     ///< the server answers `initialize` with a revision that nobody speaks
    newest_version,        ///< the server speaks the newest revision with a handshake, and no other
    other_version,         ///< the server speaks another revision than the one that is asked for
    event_streams,         ///< HTTP: answers are streams of events
    polling,               ///< HTTP: a stream ends before its answer has come
    lost_session,          ///< HTTP: the server forgets the session
    modern,                ///< the server speaks 2026-07-28 and nothing else
    modern_questions,      ///< the same, and it asks by input_required
};
std::string_view to_string(Scene scene);
/// Whether it is about 2026-07-28.
bool is_modern(Scene scene);

struct Event {
    enum class Kind {
        opened,        ///< stdio: the client has started the server
        line,          ///< stdio: from the client, without "\n"
        rest,          ///< stdio: the input ended inside a line
        request,       ///< HTTP: method, target, fields, and the body as text
        sent,          ///< by the server: a message; HTTP: with the status, also without a message
        input_closed,  ///< stdio: the end of the server's stdin
        terminated,    ///< stdio: the server got SIGTERM
        vanished,      ///< stdio: the server was killed
        exited,        ///< the client: text says how
    };
    Kind kind = Kind::line;
    Duration at = {};      ///< since the client was started
    std::size_t peer = 0;  ///< stdio: which process of the server; HTTP: 0
    std::string text = {};
    std::string method = {}, target = {};
    std::vector<std::pair<std::string, std::string>> fields = {};
    int status = 0;

    /// The first of that name, in any case.
    std::optional<std::string> field(std::string_view name) const;
};

struct Record {
    Scene scene = Scene::plain;
    bool http = false;
    std::vector<Event> events = {};
    std::string errors = {};  ///< the last of the client's stderr
    bool ended = false;       ///< the client, by itself
};

/// The last events up to and with this one, for a finding.
std::vector<Evidence> evidence(const Record& record, std::size_t event, std::size_t max_bytes, std::size_t before = 2);

}  // namespace tenon::check::client
