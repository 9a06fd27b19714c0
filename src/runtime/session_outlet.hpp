// Carries the messages of a session to its client.
#pragma once

#include <memory>
#include <mutex>

#include "core/server/action.hpp"

namespace tenon {

/// Gets the messages of a session, and slows its handlers down when the client reads too slowly. Each transport has its
/// own. Its functions may be called on any thread.
class SessionOutlet {
 public:
    virtual ~SessionOutlet() = default;
    /// Gets each core::Send, core::Finish and core::LetPoll, in order. Called under the session's lock, so it must not
    /// call the session.
    virtual void deliver(core::Action&& action) = 0;
    /// Back pressure: waits while the client is far behind with reading the messages for this request, until `stop`.
    /// Called without a lock.
    virtual void wait_for_reader(core::ReplyTo reply_to, base::LateStop& stop) = 0;
    /// Like wait_for_reader(), before a handler starts: its answer would only add to the output that is not read. An
    /// outlet with a queue for each request need not wait.
    virtual void wait_before_call(base::LateStop&) {}
    /// Returns whether other nodes serve the session too.
    virtual bool shares_session() const { return false; }
    /// Stores a call of a restartable tool before its handler starts, if shares_session(). Its handler starts when `go`
    /// is answered; an error refuses the call. Called without a lock.
    virtual void store_call(const core::CallPtr&, Reply<void> go) { std::move(go).send({}); }
    /// Returns the lock of the peer, or null. Threads hold it while they make notifications, so one peer makes one at a
    /// time. Otherwise handlers that do nothing but notify would take all processors from other peers.
    virtual std::shared_ptr<std::mutex> turn() { return nullptr; }
    /// Returns whether the transport shows messages to the taps of the server itself.
    virtual bool shows_messages() const { return false; }
    /// Closes the connections: a message was lost, so a client might wait for ever. Called without the session's lock.
    virtual void break_off() noexcept {}
};

}  // namespace tenon
