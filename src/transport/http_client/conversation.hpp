// Maps a client's messages to HTTP requests, reads their responses, and keeps streams open. The rules are in src/web;
// this file connects them with connections and timers.
//
// conversation.cpp: messages and their responses. conversation_streams.cpp: streams that break and are resumed, the
// stream of a session, the transport of 2024-11-05.
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <tenon/transport/http_client.hpp>

#include "framing/sse.hpp"
#include "transport/http_client/authorised_calls.hpp"
#include "web/client_answer.hpp"
#include "web/reconnect.hpp"

namespace tenon {

/// A message that waits to be sent.
struct QueuedMessage {
    OutgoingMessage message;
    std::shared_ptr<void> weight;  ///< counts its bytes against max_queued_output_bytes while it lives
};

/// One client's traffic with one server. Not thread-safe: use it only on the thread of the io_context. Events are
/// called on that thread.
class HttpConversation {
 public:
    /// `sign_in` may be null. `options` and `events` must outlive this object.
    HttpConversation(std::shared_ptr<asio::io_context> context, std::shared_ptr<const HttpRoute> route,
                     const HttpClientOptions& options, const ClientTransport::Events& events,
                     ClientTransport::Bounds bounds, std::unique_ptr<HttpSignIn> sign_in);

    void send(QueuedMessage message);
    /// Drops all requests and ends the session with DELETE. Calls `done` when the server has answered, or cannot be
    /// reached.
    void finish(std::function<void()> done);
    /// Closes all connections at once, without telling the server.
    void close();

 private:
    /// A request of this client and the HTTP requests that bring its response; or a stream without a request (id 0).
    struct PendingRequest {
        enum class Kind { request, listener, old_stream };
        PendingRequest(Kind what, asio::io_context& context, web::ReconnectPolicy policy)
            : kind(what), reconnect(policy), timer(context) {}

        Kind kind;
        std::int64_t id = 0;
        std::string method = {};
        bool stateless = false;
        std::string session = {};
        std::string revision = {};
        std::shared_ptr<void> weight = {};
        std::shared_ptr<AuthorisedCalls::Call> call = {};

        int status = 0;
        std::string www_authenticate = {};
        web::Reading reading = web::Reading::nothing;
        std::string body = {};
        std::optional<framing::SseReader> events = {};
        std::string last_event_id = {};
        web::Reconnect reconnect;
        asio::steady_timer timer;
        bool was_open = false;  // whether a response was a stream
        bool answered = false;
    };
    using PendingPtr = std::shared_ptr<PendingRequest>;
    struct Notice {
        explicit Notice(asio::io_context& context) : timer(context) {}
        std::shared_ptr<AuthorisedCalls::Call> call = {};
        std::shared_ptr<void> weight = {};
        asio::steady_timer timer;
        std::function<void()> done = {};
    };

    // conversation.cpp
    void dispatch(QueuedMessage message);
    void post_request(QueuedMessage message);
    void post_aside(web::ClientRequest request, std::shared_ptr<void> weight, std::function<void()> done);
    bool has_room_to_listen() const;
    void cancel(QueuedMessage message);
    void hold();
    void release();
    void begin_session();
    web::ClientContext context_of(const PendingRequest& e) const { return {options_.headers, e.session, e.revision}; }
    HttpCall::Events events_of(const PendingPtr& e);
    void on_head(const PendingPtr& e, const framing::HttpResponse& head);
    void on_piece(const PendingPtr& e, std::string_view bytes);
    void on_end(const PendingPtr& e);
    void on_failed(const PendingPtr& e, const Error& why);
    void on_message(const PendingPtr& e);
    void explained(const PendingPtr& e);
    void refused(const PendingPtr& e);
    void fail(const PendingPtr& e, const Error& why);
    void drop(const PendingPtr& e);
    void keep_session(const PendingPtr& e, const framing::HttpResponse& head);
    void lose_session(const PendingPtr& e);
    void when_quiet();

    // conversation_streams.cpp
    void feed(const PendingPtr& e, std::string_view bytes);
    void on_event(const PendingPtr& e, const framing::SseReader::Event& event);
    void answer_came(const PendingPtr& e);
    void stream_over(const PendingPtr& e, const Error& why);
    void resume_later(const PendingPtr& e, const Error& why);
    void resume(const PendingPtr& e);
    void stream_refused(const PendingPtr& e);
    void listen();
    void stop_listening();
    void try_old_transport(const PendingPtr& initialize, Error why);
    void on_endpoint(std::string_view reference);
    void no_old_transport();

    std::shared_ptr<asio::io_context> context_;
    std::shared_ptr<const HttpRoute> route_;
    const HttpClientOptions& options_;
    const ClientTransport::Events& events_;
    const ClientTransport::Bounds bounds_;
    HttpCalls calls_;
    AuthorisedCalls gate_;

    std::string session_;             // id of the session; empty: none
    std::string revision_;            // of the session
    bool lost_ = false;               // the session was lost, and no new one has begun
    bool holding_ = false;            // messages wait in held_ until the server has received `initialized`
    std::deque<QueuedMessage> held_;  // in order
    std::map<std::int64_t, PendingPtr> requests_;
    std::set<std::shared_ptr<Notice>> notices_;
    PendingPtr listener_;

    // The transport of 2024-11-05.
    PendingPtr old_stream_;                 // brings all messages of the server
    PendingPtr old_initialize_;             // waits until old_endpoint_ is known
    OutgoingMessage initialize_;            // the last `initialize`, to send it again over this transport
    Error no_streamable_;                   // why Streamable HTTP failed; reported when this transport fails too
    std::optional<web::Url> old_endpoint_;  // where messages are posted; set when this transport is used

    std::function<void()> finished_;
    bool closing_ = false;
};

}  // namespace tenon
