// A client's HTTP requests to one origin: over connections that are kept, each until its answer is whole.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "transport/http_client/dial.hpp"
#include "transport/http_client/wire.hpp"
#include "web/client_request.hpp"

namespace tenon {

class HttpCalls;

/// One request, with the redirects it meets.
class HttpCall final : public HttpWire::User, public std::enable_shared_from_this<HttpCall> {
 public:
    struct Events {
        std::function<void()> sent = [] {};
        std::function<void(const framing::HttpResponse&)> head;
        std::function<void(std::string_view)> piece;
        std::function<void()> end;          ///< the answer is whole, or
        std::function<void(Error)> failed;  ///< there is none, or only a part. Neither from within start() nor abort()
    };
    HttpCall(HttpCalls& calls, web::ClientRequest request, Events events)
        : calls_(calls), request_(std::move(request)), events_(std::move(events)) {}

    /// No event comes any more. The server sees its connection closed, when it has seen the request at all.
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
    Events events_;
    std::shared_ptr<HttpWire> wire_;
    bool over_ = false;
    bool tried_again_ = false;
    bool urgent_ = false;
    std::size_t redirects_ = 0;
};

/// For the thread of the io_context.
class HttpCalls {
 public:
    struct Bounds {
        std::size_t max_connections;
        std::size_t max_redirects;
        Duration idle_time;
    };
    /// Answers to a server, and the stream of a session, do not wait for calls that wait for that very server: they
    /// have some connections beyond the limit.
    enum class Urgency { call, aside };

    HttpCalls(std::shared_ptr<asio::io_context> context, std::shared_ptr<const HttpRoute> route, Bounds bounds);
    ~HttpCalls() { close(); }

    std::shared_ptr<HttpCall> start(web::ClientRequest request, HttpCall::Events events,
                                    Urgency urgency = Urgency::call);
    /// Closes every connection. No call has an event any more.
    void close();

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
    std::vector<std::shared_ptr<HttpWire>> idle_;  // of wires_; the last was used last
    std::size_t aside_ = 0;                        // connections that calls of Urgency::aside have now
    bool closed_ = false;
};

}  // namespace tenon
