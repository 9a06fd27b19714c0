// Runs a request of 2026-07-28, which has no session in the protocol. Internally it uses an engine session until it is
// answered. Creating an engine session costs more than most requests, so later requests of the principal reuse it.
#pragma once

#include <atomic>
#include <mutex>

#include "runtime/session_impl.hpp"
#include "transport/http_server/endpoint.hpp"
#include "web/reply_stream.hpp"
#include "web/response.hpp"

namespace tenon {

/// Runs one request after the other. The response is JSON when no other message comes first; otherwise it is the last
/// event of a stream. Thread-safe after own() was called.
class HttpEndpoint::StatelessRequest final : public web::Responder, public SessionOutlet {
 public:
    StatelessRequest(std::weak_ptr<HttpEndpoint> endpoint, std::string principal)
        : endpoint_(std::move(endpoint)), principal_(std::move(principal)) {}
    void own(std::shared_ptr<Session::Impl> session) { session_ = std::move(session); }

    /// Returns the principal of all its requests.
    const std::string& principal() const { return principal_; }
    /// The client of a request. `slot` counts it among the concurrent requests of its peer. `endless`: see endless().
    struct From {
        WriterPtr writer;
        HttpPeerPtr peer;
        PeerSlot slot;
        bool endless = false;
    };
    /// Serves a request. Returns whether it is still running.
    bool serve(From from, jsonrpc::Incoming&& message, core::Origin origin);
    /// Returns the peer that sent the current request.
    HttpPeerPtr peer() const;
    /// Returns whether the request runs until the client or the server ends it (`subscriptions/listen`). A shutdown
    /// does not wait for such a request.
    bool endless() const { return endless_.load(); }

    void deliver(core::Action&& action) override;
    /// Back pressure: see web::ResponseWriter::wait_for_reader().
    void wait_for_reader(core::ReplyTo reply_to, base::LateStop& stop) override;
    std::shared_ptr<std::mutex> turn() override { return turn_of(peer()); }
    bool shows_messages() const override { return true; }
    void break_off() noexcept override;
    /// Ends the request of a broken session. When it throws, tick() repeats it.
    void give_up();
    void keep_alive();
    void tick();
    /// Stops the current request. No further request can run afterwards.
    void stop(std::string_view why) { stop(why, nullptr); }
    void probe(const web::ResponseWriter& writer) override;
    void client_gone(const web::ResponseWriter& writer) override { stop("the client closed the connection", &writer); }

    std::size_t place = 0;  ///< its index in the endpoint's list of running requests; used by the endpoint

 private:
    using Number = core::ReplyTo;  // identifies one of its requests; grows with each request

    Number begin(From from);
    void send(core::Send&& message);
    void finish();
    void begin_stream();
    void stop(std::string_view why, const web::ResponseWriter* only);

    const std::weak_ptr<HttpEndpoint> endpoint_;
    const std::string principal_;
    std::shared_ptr<Session::Impl> session_;
    std::atomic<bool> endless_{false};
    std::atomic<Number> ended_{0};  // the last request that is over
    mutable std::mutex mutex_;      // guards the members below
    Number number_ = 0;             // the current request, or the last one
    web::ReplyStream reply_;        // has a connection until the request is over
    HttpPeerPtr peer_;              // of the current request, or of the last one
    PeerSlot slot_;
    bool stopped_ = false;  // the engine session accepts no further request
};

}  // namespace tenon
