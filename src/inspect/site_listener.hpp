// SiteListener: a small HTTP server on a loopback port, for pages, short commands and long streams of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <tenon/limits.hpp>

#include "framing/http_request.hpp"
#include "web/client_request.hpp"
#include "web/response_writer.hpp"

namespace tenon::inspect {

/// Bounds everything that a client of the listener can hold or delay.
struct SiteLimits {
    std::size_t max_connections = 32;  ///< a new one takes the place of an idle one, or is closed at once
    std::size_t max_streams = 4;
    std::size_t max_requests = 1000;  ///< of one connection; 1: every response closes its connection
    std::size_t max_head_bytes = 8 * 1024;
    std::size_t max_body_bytes = 4 * 1024 * 1024;
    Duration request_time = std::chrono::seconds(10);  ///< to receive a request
    Duration idle_time = std::chrono::seconds(30);     ///< between two requests of a connection
    Duration answer_time = std::chrono::minutes(35);   ///< to make and send a response; above every limit of a client
    Duration write_time = std::chrono::seconds(60);    ///< for the client to read some of a stream
    Duration keep_alive = std::chrono::seconds(15);    ///< between comments on a quiet stream; 0: no comments
};

/// Returns the next bytes of a stream, an empty string (nothing is new), or nullopt: the stream ends. Called on the
/// listener's thread. Destroyed when the stream has ended or its client has left.
using StreamSource = std::function<std::optional<std::string>()>;

/// Answers one request, once. Thread-safe. When it is destroyed without an answer, the connection is closed.
class SiteReply {
 public:
    virtual ~SiteReply() = default;
    /// `more`: fields whose names are not constants.
    virtual void respond(web::Response response, web::OwnFields more = {}) = 0;
    /// Begins a stream of events. `source` is asked now, and after each SiteListener::wake().
    virtual void stream(web::Fields fields, StreamSource source, web::OwnFields more = {}) = 0;
    /// Calls `gone` on the listener's thread if the client leaves before the answer.
    virtual void on_gone(std::function<void()> gone) = 0;
};

/// The pages behind a listener. All functions are called on the listener's thread and must not block.
class Site {
 public:
    virtual ~Site() = default;
    /// Returns the refusal of a request, by its head.
    virtual std::optional<web::Response> refuse(const framing::HttpRequest& head) = 0;
    /// Answers a request that was not refused.
    virtual void answer(const framing::HttpRequest& head, std::string body, std::shared_ptr<SiteReply> reply) = 0;
};

/// Serves from start() to stop(), on a thread of its own. A connection carries one request after another. It ends after
/// a refusal by the head of a request, and after a stream.
class SiteListener {
 public:
    /// Binds 127.0.0.1. Throws tenon::Exception when the port cannot be used. `port` 0: any free port.
    explicit SiteListener(std::uint16_t port, SiteLimits limits = {});
    ~SiteListener();  ///< calls stop()
    SiteListener(const SiteListener&) = delete;
    SiteListener& operator=(const SiteListener&) = delete;

    std::uint16_t port() const;
    /// Begins to serve. The site must live until stop() has returned.
    void start(Site& site);
    /// Ends all connections and the thread. Replies that are used later have no effect.
    void stop();
    /// Asks the sources of all streams again. Thread-safe and cheap.
    void wake();

 private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace tenon::inspect
