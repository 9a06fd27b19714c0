// A request that stands alone (2026-07-28): it has a session to itself until it is answered. Sessions cost more than
// most requests, so the next request may have the same one.
#pragma once

#include <atomic>
#include <mutex>

#include "runtime/session_impl.hpp"
#include "transport/http_server/endpoint.hpp"
#include "web/response.hpp"

namespace tenon {

/// Its answer is JSON when it comes first, and otherwise the last event of a stream.
class HttpEndpoint::StatelessRequest final : public web::Responder {
 public:
    StatelessRequest(std::weak_ptr<HttpEndpoint> endpoint, std::string principal)
        : endpoint_(std::move(endpoint)), principal_(std::move(principal)) {}
    void own(std::shared_ptr<Session::Impl> session) { session_ = std::move(session); }

    /// Whoever sends the requests, all of them.
    const std::string& principal() const { return principal_; }
    /// A request by its number: once it is over, the next one begins.
    using Number = core::ReplyTo;
    /// `slot`: one of the requests that its peer may have at once.
    Number begin(WriterPtr writer, bool endless, HttpPeerPtr peer, PeerSlot slot);
    /// Returns the peer that sent the request.
    HttpPeerPtr peer() const;
    void receive(Number number, jsonrpc::Incoming&& message, core::MayUse may_use,
                 const core::MemoryAccountPtr& account);
    bool over(Number number) const { return ended_.load() >= number; }
    /// It runs until somebody ends it, so nobody should wait for that.
    bool endless() const { return endless_.load(); }

    void deliver(core::Action&& action);
    void keep_alive();
    void tick();
    /// Whatever runs.
    void stop(std::string_view why) { stop(why, nullptr); }
    void client_gone(const web::ResponseWriter& writer) override { stop("the client closed the connection", &writer); }

    std::size_t place = 0;  ///< the endpoint's, among those that run

 private:
    void say(core::Send&& message);
    void finish();
    void stop(std::string_view why, const web::ResponseWriter* only);

    const std::weak_ptr<HttpEndpoint> endpoint_;
    const std::string principal_;
    std::shared_ptr<Session::Impl> session_;
    std::atomic<bool> endless_{false};
    std::atomic<Number> ended_{0};  // the last request that is over
    mutable std::mutex mutex_;      // guards what follows
    Number number_ = 0;
    WriterPtr writer_;  // empty when it is over
    HttpPeerPtr peer_;  // of the request, or of the last one
    PeerSlot slot_;
    bool begun_ = false;
    bool stopped_ = false;   // its session takes no request any more
    int silent_rounds_ = 0;  // of keep_alive()
};

}  // namespace tenon
