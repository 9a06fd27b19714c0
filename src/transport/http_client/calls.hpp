// Sends a client's HTTP requests to one origin over a pool of connections. One connection carries one request at a
// time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "transport/http_client/dial.hpp"
#include "transport/http_client/wire.hpp"
#include "web/client_request.hpp"
#include "web/conversation_steps.hpp"

namespace tenon {

class HttpCalls;

/// One request. Follows redirects. Not thread-safe: use it only on the thread of the io_context.
class HttpCall final : public HttpWire::User, public std::enable_shared_from_this<HttpCall> {
 public:
    using Id = web::conversation::CallId;

    /// Receives the events of its calls, with the ids that it gave to HttpCalls::start(). There are no events inside
    /// start() or abort(), or after abort().
    class User {
     public:
        virtual void on_event(web::conversation::CallEvent event) = 0;

     protected:
        ~User() = default;
    };
    HttpCall(HttpCalls& calls, web::ClientRequest request, User& user, Id id, web::Urgency urgency)
        : calls_(calls), request_(std::move(request)), user_(user), id_(id), urgent_(urgency == web::Urgency::urgent) {}

    /// Stops the request. No event follows. Closes the connection if the request was already being sent.
    void abort();

    // HttpWire::User
    void on_sent() override;
    void on_head(const framing::HttpResponse& head) override;
    void on_piece(std::string_view bytes) override;
    void on_end() override;
    void on_broken(const std::string& why, bool untouched) override;

 private:
    friend class HttpCalls;
    void redirect(std::string_view location);
    void fail(Error why);
    void close_wire();
    std::shared_ptr<HttpWire> leave_wire();

    HttpCalls& calls_;
    web::ClientRequest request_;
    User& user_;
    const Id id_;
    const bool urgent_;
    std::shared_ptr<HttpWire> wire_;
    bool over_ = false;
    bool tried_again_ = false;
    std::size_t redirects_ = 0;
};

/// The connection pool and the queue of calls. Not thread-safe: use it only on the thread of the io_context.
class HttpCalls {
 public:
    struct Bounds {
        std::size_t max_connections;
        std::size_t max_redirects;
        Duration idle_time;
    };

    HttpCalls(std::shared_ptr<asio::io_context> context, std::shared_ptr<const HttpRoute> route, Bounds bounds);
    ~HttpCalls() { close(); }

    /// Starts a call. `user` must outlive it, or abort it.
    std::shared_ptr<HttpCall> start(web::ClientRequest request, HttpCall::User& user, HttpCall::Id id = 0,
                                    web::Urgency urgency = web::Urgency::normal);
    /// Closes every connection. No call gets an event afterwards.
    void close();
    /// Closes every connection and forgets all calls, without an event. New calls can be started.
    void reset();

 private:
    friend class HttpCall;
    void enqueue(const std::shared_ptr<HttpCall>& call);
    void pump();
    bool serve(std::deque<std::shared_ptr<HttpCall>>& queue, std::size_t limit);
    void give(const std::shared_ptr<HttpCall>& call, const std::shared_ptr<HttpWire>& wire);
    void dial();
    void dialed(const std::shared_ptr<HttpDial>& dial, Result<std::unique_ptr<HttpSocket>> socket);
    void freed(HttpWire* wire);
    void close_idle();

    std::shared_ptr<asio::io_context> context_;
    std::shared_ptr<const HttpRoute> route_;
    const Bounds bounds_;
    std::deque<std::shared_ptr<HttpCall>> urgent_, waiting_;
    std::set<std::shared_ptr<HttpDial>> dials_;
    std::set<std::shared_ptr<HttpWire>> wires_;
    std::vector<std::shared_ptr<HttpWire>> idle_;  // part of wires_; the most recently used is the last
    std::size_t urgent_running_ = 0;               // connections that calls of web::Urgency::urgent use now
    bool closed_ = false;
};

}  // namespace tenon
