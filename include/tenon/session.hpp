// Session: one peer of a server, for programs with their own event loop. A Session has no thread and no socket.
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

#include <tenon/caller.hpp>
#include <tenon/limits.hpp>

#pragma GCC visibility push(default)

namespace tenon {

class Server;

/// Options of a Session.
struct SessionOptions {
    /// Runs a handler, now or later, on a thread that may block. A handler blocks while more output is queued than
    /// Limits::max_queued_output_bytes. Empty (default): handlers run inside receive() and must not block.
    std::function<void(std::function<void()>)> post = {};
    /// Called when there is new output or an earlier deadline. Runs on any thread, also inside a function of this
    /// session that you called. It may call only take_output() and next_deadline() of this session. Empty (default):
    /// not called.
    std::function<void()> wake = {};
    /// The authenticated identity of the peer. Tasks belong to it, and no other peer can find them. Empty (default): a
    /// task of 2025-11-25 belongs to its session, and a task of 2026-07-28 to every peer that knows its id.
    std::string owner = {};
    /// What handlers and access rules learn about the peer: its scopes, claims and address. `principal` and
    /// `session_id` are set by Tenon.
    Caller caller = {};
    /// How messages are carried, for observers, as OpenTelemetry names it: "pipe", "tcp", "unix".
    std::string_view transport = "pipe";
    /// Keeps tasks running after this session ends. For transports that create a session for each request.
    bool keep_tasks = false;
    /// Lets this peer use all of Limits::memory_budget instead of Limits::peer_memory_share. For a server that has only
    /// this peer, such as a child process that serves its parent.
    bool only_peer = false;
    std::function<TimePoint()> clock = [] { return Clock::now(); };  ///< the time source; replace it in tests
};

/// One peer of a server. Thread-safe. No function waits for a handler, except that receive() and feed() run handlers
/// themselves when `post` is empty. take_output() returns messages in the order in which they were produced.
class Session {
 public:
    explicit Session(Server& server, SessionOptions options = {});
    ~Session();  ///< cancels running calls; drops everything that their handlers send afterwards
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Handles one whole message, without a newline.
    void receive(std::string_view message);
    /// Handles the next bytes of a stream with one message per line. The bytes may end anywhere in a line.
    void feed(std::string_view bytes);
    /// Tells the session that the peer sends nothing more. Open questions fail, running calls continue. An unfinished
    /// line is discarded.
    void end_of_input();

    /// Returns all output since the last call. Each message ends with a newline.
    std::string take_output();
    /// Returns the number of bytes that take_output() would return.
    std::size_t queued_output() const;

    /// Returns the latest time for the next tick(), or nullopt when none is needed. An early tick does no harm.
    std::optional<TimePoint> next_deadline() const;
    /// Handles the timeouts that have passed.
    void tick();

    /// Returns whether no request is running.
    bool idle() const;
    /// Answers running requests with an error, requests a stop of their handlers, and refuses later requests.
    void shut_down(std::string_view why);

    class Impl;

 private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace tenon

#pragma GCC visibility pop
