// Session: MCP for a host with its own loop. Messages in, bytes out, and the next deadline; no thread, no socket.
//
//     tenon::Session session(server);
//     session.feed(bytes_from_somewhere);                 // or receive(one_message)
//     send_somewhere(session.take_output());
//     if (auto when = session.next_deadline()) wake_me(*when, [&] { session.tick(); });
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/limits.hpp>

namespace tenon {

class Server;

struct SessionOptions {
    /// Runs a handler, now or later, on any thread that may wait: it does while Limits::max_queued_output_bytes are not
    /// taken. Empty: inside receive(); handlers must not wait then.
    std::function<void(std::function<void()>)> post = {};
    /// Called, from any thread, when there is new output to take or an earlier deadline, also within your own calls. It
    /// may call take_output() and next_deadline(), and nothing else of the session.
    std::function<void()> wake = {};
    /// Who this peer is, once that was made sure of: tasks belong to their owner, and nobody else finds them. Empty: a
    /// task of 2025-11-25 belongs to its session, and one of 2026-07-28 to whoever knows its id.
    std::string owner = {};
    /// Whether tasks go on after the end of the session that started them, on threads that do so too. For transports
    /// with a session a request.
    bool keep_tasks = false;
    /// Whether the server serves this peer only, as a process does that talks to its parent. It may then use all of
    /// Limits::memory_budget, and not only Limits::peer_memory_share.
    bool only_peer = false;
    std::function<TimePoint()> clock = [] { return Clock::now(); };
};

/// One peer of a server. Every function may be called from any thread at any time; none waits for a handler, but with
/// an empty `post` receive() and feed() run it. The messages of take_output() come out in the order they were made.
class Session {
 public:
    explicit Session(Server& server, SessionOptions options = {});
    ~Session();  ///< cancels what runs; handlers that go on after that talk to nobody
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// One whole message, without a newline.
    void receive(std::string_view message);
    /// Bytes of a stream of messages, one a line, in pieces of any size.
    void feed(std::string_view bytes);
    /// The peer will send nothing more: questions to it fail, what runs goes on. A line that was cut is not executed.
    void end_of_input();

    /// Everything that is to be sent, each message ended by a newline. Empty when there is nothing.
    std::string take_output();
    std::size_t queued_output() const;

    /// When tick() is to be called next, at the latest. It may be too early: then a tick does nothing.
    std::optional<TimePoint> next_deadline() const;
    void tick();

    /// No request is running.
    bool idle() const;
    /// Answers what runs with an error, tells its handlers to stop, and refuses what comes after.
    void shut_down(std::string_view why);

    class Impl;

 private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace tenon
