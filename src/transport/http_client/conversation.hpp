// Performs the actions of web::ClientConversation, which decides everything about messages, sessions and streams: this
// file only has the connections, the timer and the tokens. The simulation uses it too, with its own clock and network.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include <tenon/transport/http_client.hpp>

#include "transport/http_client/calls.hpp"
#include "transport/http_client/conversation_clock.hpp"
#include "transport/http_client/request_tokens.hpp"
#include "web/client_conversation.hpp"

namespace tenon {

/// A message that waits to be sent. Its `weight` counts its bytes against max_queued_output_bytes while it lives.
using QueuedMessage = web::conversation::Send;

/// One client's traffic with one server. Not thread-safe: use it only on the thread of the io_context. Events are
/// called on that thread, and must not call this object.
class HttpConversation final : private HttpCall::User {
 public:
    struct Parts {
        std::shared_ptr<asio::io_context> context;
        std::shared_ptr<const HttpRoute> route;
        std::unique_ptr<ConversationClock> clock;
        std::unique_ptr<RequestTokens> tokens = {};  ///< null: requests carry no tokens
    };
    /// `events` must outlive this object.
    HttpConversation(Parts parts, const HttpClientOptions& options, const ClientTransport::Events& events,
                     ClientTransport::Bounds bounds);
    HttpConversation(const HttpConversation&) = delete;
    HttpConversation& operator=(const HttpConversation&) = delete;

    void send(QueuedMessage message);
    /// Drops all requests and ends the session with DELETE. Calls `done` when the server has answered, or cannot be
    /// reached.
    void finish(std::function<void()> done);
    /// Closes all connections at once, without telling the server.
    void close();
    /// Closes all connections and fails their calls, after an exception has reached the event loop: a connection may
    /// have lost its next step. Later calls work.
    void recover() noexcept;

 private:
    using CallId = web::conversation::CallId;

    /// A call between Start and its last event.
    struct Running {
        web::conversation::Start start;
        std::shared_ptr<HttpCall> http = {};
        std::uint64_t generation = 0;  // of the tokens that the request carries
        std::optional<RequestTokens::Refused> refused =
            {};  // set when the response is a refusal that signing in may cure
    };

    /// Handles an event. When memory is short, its request fails; if that is not possible, the connection is lost.
    void resume(web::conversation::Event event) noexcept;
    void perform(web::conversation::Actions actions) noexcept { perform(std::span(actions)); }
    void perform(std::span<web::conversation::Action> actions) noexcept;
    void give_up();
    void collapse() noexcept;

    void on(web::conversation::Start start);
    void on(const web::conversation::Cancel& cancel);
    void on(const web::conversation::GetTokens& sign_in);
    void on(const web::conversation::Deliver& deliver) { events_.message(deliver.message); }
    void on(web::conversation::FailRequest failed) { events_.failed(failed.request, std::move(failed.why)); }
    void on(const web::conversation::SessionLost& lost) { events_.session_lost(lost.request); }
    void on(web::conversation::ConnectionLost lost) { events_.closed(std::move(lost.why)); }
    void on(const web::conversation::SetTimer& timer);
    void on(const web::conversation::Finished&);
    void on(const web::conversation::Log& log) { events_.note(log.level, log.text); }

    void launch(CallId call);
    bool sign_in_may_help(CallId call, const framing::HttpResponse& head);

    // HttpCall::User
    void on_event(web::conversation::CallEvent event) override;
    void prepare(web::conversation::Head& head) { head.sign_in_may_help = sign_in_may_help(head.call, head.response); }
    void prepare(const web::conversation::End& end);
    void prepare(const web::conversation::Failed& failed) { running_.erase(failed.call); }
    template <class Other>
    void prepare(const Other&) {}

    const ClientTransport::Events& events_;
    web::ClientConversation machine_;
    HttpCalls calls_;
    const std::unique_ptr<ConversationClock> clock_;
    const std::unique_ptr<RequestTokens> tokens_;  // may be null
    std::uint64_t credentials_ = 0;                // the generation of the tokens that the last request carried
    std::map<CallId, Running> running_;
    std::function<void()> finished_;
    bool collapsed_ = false;
};

}  // namespace tenon
