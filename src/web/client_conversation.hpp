// A client's traffic with one server over HTTP, as a state machine: events go in, actions come out. Maps messages to
// HTTP calls, reads their responses, and keeps streams open. It has no sockets, no timers and no clock:
// transport/http_client/conversation.hpp performs the actions.
//
// pending_request.hpp has the phases of a request and their transitions, conversation_steps.hpp the events and actions.
// client_conversation.cpp: HTTP calls, their responses, and timers. client_conversation_messages.cpp: messages and
// sessions. client_conversation_streams.cpp: streams that break and are resumed, the stream of a session, the transport
// of 2024-11-05.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "web/client_response.hpp"
#include "web/conversation_steps.hpp"
#include "web/pending_request.hpp"
#include "web/reconnect.hpp"
#include "web/url.hpp"

namespace tenon::web {

/// See HttpClientOptions and ClientLimits, which have the defaults.
struct ConversationOptions {
    OwnFields headers = {};
    bool old_http_sse = true;
    bool signs_in = false;  ///< whether GetTokens can be performed
    std::size_t max_connections = 32;
    std::size_t max_message_bytes = 64 * 1024 * 1024;
    std::size_t max_refusal_bytes = 64 * 1024;
    std::size_t max_session_id_bytes = 4096;
    std::size_t max_event_id_bytes = 4096;
    ReconnectPolicy reconnect = {};
    Duration max_retry_time = std::chrono::hours(1);
};

/// How often one HTTP request is sent at most: at first, after signing in, with a nonce, and with more scopes.
inline constexpr std::size_t max_authorised_tries = 4;

/// The machine. Not thread-safe.
class ClientConversation {
 public:
    ClientConversation(Url server, ConversationOptions options);

    /// Handles an event. Returns the actions to perform now, in order. Ignores events of calls that have ended.
    conversation::Actions resume(conversation::Event event, TimePoint now);

 private:
    using PendingPtr = std::shared_ptr<PendingRequest>;
    using Kind = PendingRequest::Kind;
    using Phase = PendingRequest::Phase;
    using CallId = conversation::CallId;

    template <class Action>
    void emit(Action action) {
        out_.emplace_back(std::move(action));
    }
    PendingPtr pending_of(CallId call);

    // Messages and sessions: client_conversation_messages.cpp
    void on(conversation::Send send);
    void on(const conversation::Finish&);
    void on(const conversation::Close&);
    void dispatch(conversation::Send send);
    void post_request(conversation::Send send);
    void begin_initialize(const OutgoingMessage& message);
    bool has_room_to_listen() const;
    void cancel(conversation::Send send);
    void post_notice(ClientRequest request, OutgoingMessage message, std::shared_ptr<void> weight);
    void notice_over(const PendingPtr& p);
    static bool was_heard(const PendingRequest& p);
    bool repeat_later(const PendingPtr& p);
    void repeat_notice(const PendingPtr& p);
    void drop_waiting_notices();
    void hold();
    void release();
    void begin_session();
    void keep_session(PendingRequest& p, const framing::HttpResponse& head);
    void lose_session(const std::string& id);
    void drop_all_but_notices();
    void when_quiet();
    const Url& endpoint() const { return old_endpoint_ ? *old_endpoint_ : server_; }

    // HTTP calls and their responses: client_conversation.cpp
    void on(const conversation::Broken& broken);
    void start(const PendingPtr& p, ClientRequest request);
    void send_call(PendingRequest& p);
    void end_call(PendingRequest& p);
    void drop(PendingPtr p);
    void fail(const PendingPtr& p, const Error& why);
    void on(const conversation::Sent& sent);
    void on(const conversation::Head& head);
    void on(const conversation::Piece& piece);
    void on(const conversation::End& end);
    void on(const conversation::Failed& failed);
    void on(const conversation::GotTokens& got);
    void notice_answered(PendingRequest& p, int status);
    void answered(const PendingPtr& p, const framing::HttpResponse& head);
    void read(const PendingPtr& p, BodyKind body);
    void add_to_body(const PendingPtr& p, std::string_view bytes);
    void drop_bytes(const PendingPtr& p, std::string_view bytes);
    void cut_off(const PendingPtr& p);
    void ended(const PendingPtr& p);
    void on_message(const PendingPtr& p);
    void refused(const PendingPtr& p);
    void sign_in(PendingRequest& p);
    ClientContext context_of(const PendingRequest& p) const { return {options_.headers, p.session, p.revision}; }

    // Timers: client_conversation.cpp
    void on(const conversation::TimerDue&);
    void set_timer(const PendingPtr& p, Duration wait);
    void clear_timer(const PendingPtr& p);
    void on_due(const PendingPtr& p);
    void arm_timer();

    // Streams: client_conversation_streams.cpp
    void open_stream(PendingRequest& p);
    void feed(const PendingPtr& p, std::string_view bytes);
    void event_too_long(const PendingPtr& p);
    void on_event(const PendingPtr& p, framing::SseReader::Event event);
    void response_came(const PendingPtr& p);
    void stream_over(const PendingPtr& p, const Error& why);
    void resume_later(const PendingPtr& p, const Error& why);
    void resume_stream(const PendingPtr& p);
    void stream_refused(const PendingPtr& p);
    void session_gone(const PendingPtr& p);
    void listen();
    void listener_began();
    void stop_listening();
    void try_old_transport(const PendingPtr& initialize, Error why);
    void on_endpoint(std::string_view reference);
    void no_old_transport();

    const Url server_;
    const ConversationOptions options_;
    conversation::Actions out_;
    TimePoint now_ = {};  // of the current event
    PendingPtr current_;  // the request of the current event; null: none

    enum class Life { open, finishing, closed };
    Life life_ = Life::open;
    std::map<CallId, PendingPtr> by_call_;
    CallId last_call_ = 0;
    std::map<std::int64_t, PendingPtr> requests_;
    std::size_t notices_ = 0;
    std::set<std::pair<TimePoint, PendingPtr>> timers_;
    std::optional<TimePoint> armed_;  // the time of the last SetTimer, until it is due

    // The session.
    std::string session_;   // its id; empty: none
    std::string revision_;  // of the session
    bool lost_ = false;     // the session was lost, and no new one has begun
    PendingPtr listener_;
    enum class Hold {
        none,
        initialized,  // until the server has received `initialized`
        listener,     // until the GET of the session's stream was sent
    };
    Hold hold_ = Hold::none;
    std::deque<conversation::Send> held_;  // in order

    // The transport of 2024-11-05.
    PendingPtr old_stream_;            // brings all messages of the server
    PendingPtr old_initialize_;        // is parked until old_endpoint_ is known
    OutgoingMessage initialize_;       // the last `initialize`, to send it again over this transport
    Error no_streamable_;              // why Streamable HTTP failed; reported when this transport fails too
    std::optional<Url> old_endpoint_;  // where messages are posted; set when this transport is used
};

}  // namespace tenon::web
