// Session: one peer of a server, for programs with their own event loop. It has no thread and no socket.
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
    /// Runs a handler, now or later, on a thread that may block. A handler blocks while more output is queued than
    /// Limits::max_queued_output_bytes. When empty, handlers run inside receive() and must not block.
    std::function<void(std::function<void()>)> post = {};
    /// Called from any thread, also inside your own calls, when there is new output or an earlier deadline. It may call
    /// only take_output() and next_deadline() of this session.
    std::function<void()> wake = {};
    /// The authenticated identity of the peer. Tasks belong to it, and no other peer can find them. When empty, a task
    /// of 2025-11-25 belongs to its session, and a task of 2026-07-28 to anyone who knows its id.
    std::string owner = {};
    /// Keeps tasks running after this session ends. For transports that make a session for each request.
    bool keep_tasks = false;
    /// Whether the server serves this peer only, as a process does that talks to its parent. It may then use all of
    /// Limits::memory_budget, and not only Limits::peer_memory_share.
    bool only_peer = false;
    std::function<TimePoint()> clock = [] { return Clock::now(); };
};

/// One peer of a server. Thread-safe. No function waits for a handler, except that receive() and feed() run handlers
/// themselves when `post` is empty. take_output() returns messages in the order in which they were produced.
class Session {
 public:
    explicit Session(Server& server, SessionOptions options = {});
    ~Session();  ///< cancels running calls; what their handlers send afterwards is dropped
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Handles one whole message, without a newline.
    void receive(std::string_view message);
    /// Handles a piece, of any size, of a stream with one message per line.
    void feed(std::string_view bytes);
    /// Call it when the peer sends nothing more. Open questions fail, running calls go on. An unfinished line is
    /// discarded.
    void end_of_input();

    /// Returns all output since the last call. Each message ends with a newline.
    std::string take_output();
    std::size_t queued_output() const;

    /// Returns the latest time for the next tick(). An early tick does no harm.
    std::optional<TimePoint> next_deadline() const;
    void tick();

    /// Returns whether no request is running.
    bool idle() const;
    /// Answers running requests with an error, requests their stop tokens, and refuses later requests.
    void shut_down(std::string_view why);

    class Impl;

 private:
    std::shared_ptr<Impl> impl_;
};

}  // namespace tenon
