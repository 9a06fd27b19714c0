// Streamable HTTP without sockets: requests in, answers through ResponseWriter, the next tick. One endpoint serves all
// five revisions; each request says by itself which rules hold for it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tenon/server.hpp>

#include "jsonrpc/message.hpp"
#include "transport/http_server/peers.hpp"
#include "transport/http_server/sessions.hpp"
#include "transport/http_server/shared_token_gate.hpp"
#include "web/entry_rules.hpp"
#include "web/response_writer.hpp"

namespace tenon {

struct EndpointOptions {
    web::EntryPolicy entry = {};
    /// Runs the handlers of a peer's calls; inside handle() when empty. May throw: then the call is answered with that.
    std::function<void(const HttpPeerPtr& peer, std::function<void()> work)> post = {};
    std::function<TimePoint()> clock = [] { return Clock::now(); };
    std::function<std::string()> new_session_id = {};
    /// Called, from any thread, when something was answered: idle() may have changed. Must not call the endpoint.
    std::function<void()> when_answered = [] {};
    /// Who sends the request, by its Authorization header; nobody: it is refused. Everybody may when empty.
    std::function<std::optional<std::string>(std::string_view)> authenticate = {};
    /// The same by tokens; instead of `authenticate`.
    std::shared_ptr<SharedTokenGate> admission = {};
};

/// Thread-safe. Exchanges are never called with a lock held that handle() takes.
class HttpEndpoint : public std::enable_shared_from_this<HttpEndpoint> {
 public:
    HttpEndpoint(Server& server, EndpointOptions options);
    ~HttpEndpoint();

    using WriterPtr = std::shared_ptr<web::ResponseWriter>;
    /// A request whose head was let in.
    struct Admitted {
        web::Entry entry;
        std::string principal = {};
        auth::CallerPtr caller = {};  ///< with what it may use; empty: everything
        web::Fields fields = {};      ///< that its answer is to have
        HttpPeerPtr peer = {};        ///< what it uses is counted here
    };
    using Admission = std::variant<Admitted, web::Response>;
    /// Returns nothing while that cannot be decided. `retry` is called once, on any thread, when it is worth asking
    /// again. `last` is the peer of the last request of the same connection, if there was one.
    std::optional<Admission> admit(const framing::HttpRequest& head, const std::function<void()>& retry = {},
                                   const HttpPeerPtr& last = {});
    using ResponderPtr = std::shared_ptr<web::Responder>;
    /// Answers through `writer`, now or later. Whoever is returned, if anybody, is to be told when the client is gone
    /// before that.
    ResponderPtr handle(const Admitted& admitted, const framing::HttpRequest& head, std::string_view body,
                        const WriterPtr& writer);

    /// To be called now and then: handlers that are late, sessions nobody uses, streams that are silent.
    void tick();
    /// No request runs; subscriptions and streams of GET do not count.
    bool idle() const;
    /// Answers what runs, ends all streams, and refuses what comes after.
    void shut_down(std::string_view why);
    std::size_t sessions() const;

 private:
    class LegacySession;
    class StatelessRequest;
    using SessionPtr = std::shared_ptr<LegacySession>;
    using Sessions = HttpSessions<LegacySession>;
    /// How messages get to a session's client: by the streams of its requests, or by the one stream of 2024-11-05.
    enum class Reached { by_streams, by_one_stream };

    ResponderPtr on_message(const Admitted&, const framing::HttpRequest&, std::string_view body, const WriterPtr&);
    ResponderPtr serve_stateless(jsonrpc::Incoming&&, const Admitted&, const framing::HttpRequest&, const WriterPtr&);
    ResponderPtr begin_session(jsonrpc::Incoming&&, const Admitted&, const WriterPtr&);
    ResponderPtr on_listen(const Admitted&, const framing::HttpRequest&, const WriterPtr&);
    void on_end_session(const Admitted&, const framing::HttpRequest&, const WriterPtr&);
    ResponderPtr on_old_listen(const Admitted&, const WriterPtr&);
    void on_old_message(const Admitted&, const framing::HttpRequest&, std::string_view body, const WriterPtr&);

    std::optional<Admission> identify(const framing::HttpRequest& head, Admitted admitted,
                                      const std::function<void()>& retry) const;
    Admission identify_by_callback(const framing::HttpRequest& head, Admitted admitted) const;
    /// The answer to a message that uses what its sender may not.
    std::optional<web::Response> refuse_uses(const Admitted& admitted, const jsonrpc::Incoming& in) const;
    core::MayUse may_use(const Admitted& admitted) const;
    std::variant<SessionPtr, web::Response> make_session(const Admitted& admitted, Reached reached);
    std::optional<web::Response> add(const SessionPtr& session);
    /// The session that the request names, or the answer that says why not.
    std::variant<SessionPtr, web::Response> session_of(const framing::HttpRequest&, const std::string& principal);
    SessionPtr find(std::string_view id, const std::string& principal, Reached reached);
    void end(const SessionPtr& session, std::string_view why);
    /// Something happens in the session, so it is looked at when the clock ticks, until nothing does.
    void wake(const LegacySession& session);
    void tick_requests(bool speak);
    void tick_sessions(bool speak);
    void tick(LegacySession& session, bool speak);
    void end_expired(TimePoint when);
    /// Returns a StatelessRequest that is over, for another request of the same sender, or a new one; it counts as
    /// running.
    std::shared_ptr<StatelessRequest> lone_request(const std::string& principal);
    /// SessionOptions::post for calls of the peer that `peer` returns when each is posted.
    std::function<void(std::function<void()>)> post_for(std::function<HttpPeerPtr()> peer) const;
    void run(const std::shared_ptr<StatelessRequest>& request);  // under the lock
    void forget(StatelessRequest& request, bool again);
    TimePoint now() const { return options_.clock(); }
    static constexpr const char* why_refused_at_the_end = "the server is shutting down";
    static constexpr const char* why_client_ended = "the session was ended by its client";

    std::shared_ptr<Server::Impl> server_;
    const EndpointOptions options_;
    const Limits limits_;
    std::optional<TimePoint> last_keep_alive_;  // of tick()'s thread
    std::atomic<bool> shut_down_{false};
    HttpPeers peers_;
    mutable std::mutex mutex_;  // guards what follows; nothing is called while it is held
    Sessions sessions_;
    std::vector<std::shared_ptr<StatelessRequest>> running_;
    std::vector<std::shared_ptr<StatelessRequest>> spare_;
};

}  // namespace tenon
