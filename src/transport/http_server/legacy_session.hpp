// A session over HTTP (2025-11-25 and before): the engine's session, and the streams that carry messages to its client.
#pragma once

#include <atomic>
#include <mutex>

#include "runtime/session_impl.hpp"
#include "transport/http_server/endpoint.hpp"
#include "transport/http_server/shared_session.hpp"
#include "web/streams.hpp"

namespace tenon {

/// One session. Thread-safe after own() was called.
class HttpEndpoint::LegacySession final : public web::Responder,
                                          public SessionOutlet,
                                          public std::enable_shared_from_this<LegacySession> {
 public:
    /// `when_answered`: see EndpointOptions.
    LegacySession(std::weak_ptr<HttpEndpoint> endpoint, std::string id, std::string principal, Reached reached,
                  web::Streams::Options options, TimePoint now, std::function<void()> when_answered)
        : endpoint_(std::move(endpoint)),
          id_(std::move(id)),
          principal_(std::move(principal)),
          reached_(reached),
          when_answered_(std::move(when_answered)),
          last_used_(now),
          streams_(std::move(options)) {}

    const std::string& id() const { return id_; }
    const std::string& principal() const { return principal_; }
    Reached reached() const { return reached_; }
    /// Sets the resources that it owns until its end: the engine's session, its peer, one of the peer's session slots,
    /// and the charge for its memory. Call it once, before other threads see the session.
    void own(std::shared_ptr<Session::Impl> session, HttpPeerPtr peer, PeerSlot slot, core::MemoryCharge charge) {
        session_ = std::move(session);
        peer_ = std::move(peer);
        slot_ = std::move(slot);
        charge_ = std::move(charge);
    }

    /// Shares the session with other nodes. Call it once, before own().
    void share(std::shared_ptr<SharedSession> shared) { shared_ = std::move(shared); }
    /// Returns a function that sends queued events to the store; empty when the session is not shared.
    std::function<void()> flusher() const {
        if (!shared_) return {};
        return [weak = std::weak_ptr(shared_)] {
            if (const auto shared = weak.lock()) shared->flush();
        };
    }
    /// Returns null when only this process serves the session.
    const std::shared_ptr<SharedSession>& shared() const { return shared_; }
    /// Calls `f` with the engine, and performs its actions. Call it without a lock.
    template <class F>
    void with_engine(F&& f) {
        session_->with_engine(std::forward<F>(f));
    }
    /// Marks `initialize` as answered: the session began on another node.
    void set_established() { established_.store(true); }

    void deliver(core::Action&& action) override;
    /// Back pressure: see web::ResponseWriter::wait_for_reader().
    void wait_for_reader(core::ReplyTo reply_to, base::LateStop& stop) override;
    std::shared_ptr<std::mutex> turn() override { return turn_of(peer_); }
    bool shows_messages() const override { return true; }
    bool shares_session() const override { return shared_ && reached_ == Reached::by_streams; }
    void store_call(const core::CallPtr& call, Reply<void> go) override;
    /// Runs a stored call of another node. Its messages go to the stream `origin.reply_to`, which has no connection.
    void run_again(jsonrpc::Incoming&& request, core::Origin origin);
    /// Reports whether the store has the oldest event of a stream that it had not yet.
    void stored(core::ReplyTo stream, const Result<store::EventId>& id);
    /// Gives up a call, because another node runs it again, or has answered it.
    void fence(core::ReplyTo stream);
    /// Cancels a request, as if its client had done so.
    void cancel(const jsonrpc::Id& id);
    void break_off() noexcept override;
    /// Returns whether a message was lost. The endpoint then ends the session.
    bool broken() const { return session_->broken(); }
    /// Opens a stream to `writer`, and passes the message to the engine. Its response goes to that stream. Returns the
    /// reason when the stream cannot be opened. `wants_answer`: see web::Streams::open().
    Result<void> receive(jsonrpc::Incoming&& message, const WriterPtr& writer, bool wants_answer, core::Origin origin);
    /// Passes a message to the engine. Its response and notifications go to the stream `origin.reply_to`.
    void receive(jsonrpc::Incoming&& message, core::Origin origin);
    /// Calls `f(streams)` under the lock of the streams.
    template <class F>
    auto with_streams(F&& f) {
        const std::lock_guard lock(mutex_);
        return f(streams_);
    }
    void client_gone(const web::ResponseWriter& writer) override;
    void probe(const web::ResponseWriter& writer) override {
        with_streams([&](web::Streams& streams) { streams.probe(&writer); });
    }

    /// Returns whether `initialize` was answered with a result.
    bool established() const { return established_.load(); }
    bool runs_something() const { return !session_->idle(); }
    TimePoint last_used() const { return last_used_.load(std::memory_order_relaxed); }
    void touch(TimePoint now) { last_used_.store(now, std::memory_order_relaxed); }
    /// Marks the session as busy: the endpoint calls tick() regularly, until tick() returns false.
    void mark_busy() {
        if (marked_busy_.exchange(true)) return;
        if (const auto endpoint = endpoint_.lock()) endpoint->wake(*this);
    }
    /// The same, but does not inform the endpoint: the caller does.
    void set_marked_busy() { marked_busy_.store(true); }
    /// Returns whether the session was marked since the last tick() began.
    bool marked_busy() const { return marked_busy_.load(); }
    /// Handles timeouts. Returns whether a request runs, a deadline is pending or a stream is connected. After it
    /// returned false, mark_busy() informs the endpoint again.
    bool tick(bool keep_alive);
    /// Ends it. The log gets the reason, at this level. `limit`: the limit that ended it.
    void end(std::string_view why, LogLevel level = LogLevel::info, LimitName limit = LimitName::none);

 private:
    void pass_on(core::Action&& action, web::Streams& streams);
    bool send_shared(core::Send& send);
    bool tick_shared(TimePoint now, bool keep_alive, bool runs);

    const std::weak_ptr<HttpEndpoint> endpoint_;
    const std::string id_, principal_;
    const Reached reached_;
    const std::function<void()> when_answered_;
    std::shared_ptr<SharedSession> shared_;
    std::shared_ptr<Session::Impl> session_;
    HttpPeerPtr peer_;
    std::atomic<TimePoint> last_used_;
    std::atomic<bool> established_{false}, primes_{false}, marked_busy_{false};
    PeerSlot slot_;
    core::MemoryCharge charge_;
    std::mutex mutex_;  // guards streams_; lock order: after the lock of session_
    web::Streams streams_;
};

}  // namespace tenon
