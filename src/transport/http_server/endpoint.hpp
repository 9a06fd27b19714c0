// Streamable HTTP without sockets: takes parsed requests, answers through ResponseWriter, and handles timeouts in
// tick(). One endpoint serves all five revisions: each request itself tells which revision applies.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tenon/server.hpp>

#include "core/server/session_state.hpp"
#include "jsonrpc/message.hpp"
#include "runtime/shared_rates.hpp"
#include "transport/http_server/cluster_node.hpp"
#include "transport/http_server/connection_end.hpp"
#include "transport/http_server/list_digests.hpp"
#include "transport/http_server/log_follower.hpp"
#include "transport/http_server/node_announcements.hpp"
#include "transport/http_server/peers.hpp"
#include "transport/http_server/sessions.hpp"
#include "transport/http_server/shared_keys.hpp"
#include "transport/http_server/shared_token_gate.hpp"
#include "web/entry_rules.hpp"
#include "web/response_writer.hpp"

namespace tenon {

class HeldResponse;
class SharedSession;

/// Returns a new session id that cannot be guessed.
std::string random_session_id();

struct EndpointOptions {
    web::EntryPolicy entry = {};
    /// Runs a handler of the peer's call, later and on another thread. May throw: the call is then answered with that
    /// error. Empty: handlers run inside handle().
    PostForPeer post = {};
    std::function<TimePoint()> clock = [] { return Clock::now(); };
    std::function<std::string()> new_session_id = random_session_id;
    /// Called on any thread when a request was answered, because idle() may have changed. Must not call the endpoint.
    std::function<void()> when_answered = [] {};
    /// Returns the principal for an Authorization header, or nullopt to refuse the request. Empty: all callers are
    /// anonymous.
    std::function<std::optional<std::string>(std::string_view)> authenticate = {};
    /// Checks tokens, instead of `authenticate`.
    std::shared_ptr<SharedTokenGate> admission = {};
    std::vector<std::string> caller_headers = {};  ///< names in lower case, see HttpOptions::caller_headers
    /// Shares the sessions with other nodes. Call HttpEndpoint::join_cluster(). Null: only this process serves them.
    std::shared_ptr<ClusterNode> cluster = {};
    /// Encrypts request states, unless the server has a seal. nullopt: a random key of this process.
    std::optional<std::array<std::uint8_t, 32>> state_key = {};
    /// The keys that all nodes have. The endpoint reads them now and then; it does not install their seal. Null: the
    /// keys never change.
    std::shared_ptr<SharedKeys> keys = {};
    /// The rate limits that all nodes count together. Null: each node counts for itself.
    std::shared_ptr<SharedRates> rates = {};
};

/// The endpoint. Thread-safe. Never calls a ResponseWriter while it holds a lock that handle() takes.
class HttpEndpoint : public std::enable_shared_from_this<HttpEndpoint> {
 public:
    HttpEndpoint(Server& server, EndpointOptions options);
    ~HttpEndpoint();

    /// Larger requests are handled on another thread, because decoding them takes long.
    static constexpr std::size_t least_large_body = 128 * 1024;
    using WriterPtr = std::shared_ptr<web::ResponseWriter>;
    /// A request whose head was accepted.
    struct Admitted {
        web::RequestPurpose purpose;
        std::string principal = {};
        auth::CallerPtr caller = {};             ///< the caller and its scopes; null: the caller may use everything
        web::Fields fields = {};                 ///< to add to the response
        HttpPeerPtr peer = {};                   ///< counts the resources that the request uses
        std::shared_ptr<const Caller> who = {};  ///< what handlers learn about the caller
        SharedTrace trace = {};                  ///< from the header fields
        /// The session of the request, if the store had to be asked for it.
        std::shared_ptr<const LoadedSession> loaded = {};
    };
    using Admission = std::variant<Admitted, web::Response>;
    /// Decides whether a request may enter, from its head. Returns nullopt while its token cannot be checked; then
    /// `retry` is called once, on any thread, when the caller should try again. `last` is the peer of the previous
    /// request of the same connection, or null. `network` is the address of the client, see network_of().
    std::optional<Admission> admit(const framing::HttpRequest& head, const std::function<void()>& retry = {},
                                   const HttpPeerPtr& last = {}, const std::string& network = {});
    using ResponderPtr = std::shared_ptr<web::Responder>;
    /// Answers a request through `writer`, now or later. If the result is not null, the caller must call its
    /// client_gone() when the client leaves before the response is complete.
    ResponderPtr handle(const Admitted& admitted, const framing::HttpRequest& head, std::string_view body,
                        const WriterPtr& writer);

    /// A request that was refused, as far as it is known.
    struct Refused {
        const Admitted* admitted = nullptr;     ///< null: it was not admitted
        const jsonrpc::Incoming* in = nullptr;  ///< null: the body was not decoded
        std::string_view network = {};          ///< the address of the client
        std::size_t bytes = 0;                  ///< of the body
    };
    /// Logs the refusal of a request, and tells the observers of it. Does nothing for a response that is not a refusal.
    /// Call it without a lock.
    void tell_refused(const web::Response& response, const Refused& request) const;

    /// Logs why a connection was closed, and counts the limit that closed it. `peer`: of its last request, or null.
    /// Call it without a lock. Never throws.
    void tell_closed(const ConnectionEnd& why, std::string_view network, const HttpPeerPtr& peer) const noexcept;

    /// Begins to hear from other nodes. Call it once, before the first request, if EndpointOptions::cluster is set.
    /// Throws Exception when the server belongs to another cluster endpoint already.
    void join_cluster();

    /// Handles late handlers, unused sessions and silent streams. Call it about every half second, from one thread.
    void tick();
    /// Returns whether no request is running. Subscriptions and GET streams do not count.
    bool idle() const;
    /// Answers all running requests with an error, ends all streams, and refuses later requests.
    void shut_down(std::string_view why);
    /// After shut_down(): lets no answer of the store reach connections any more. Call it before their threads end.
    void close_cluster() {
        if (options_.cluster) options_.cluster->close();
    }
    std::size_t sessions() const;

 private:
    class LegacySession;
    class StatelessRequest;
    using SessionPtr = std::shared_ptr<LegacySession>;
    using Sessions = HttpSessions<LegacySession>;
    /// How messages reach a session's client: over the streams of its requests, or over the one stream of 2024-11-05.
    enum class Reached { by_streams, by_one_stream };

    /// A request that is being handled.
    struct Post {
        const Admitted& admitted;
        const framing::HttpRequest& head;
        std::string_view body;
        const WriterPtr& writer;
    };
    ResponderPtr on_message(const Post& post);
    ResponderPtr pass_on(const SessionPtr& session, jsonrpc::Incoming&& in, const Post& post) const;
    ResponderPtr serve_stateless(jsonrpc::Incoming&& in, const Post& post);
    ResponderPtr run_stateless(const Admitted& admitted, const WriterPtr& writer, PeerSlot slot, bool listens,
                               jsonrpc::Incoming&& in);
    ResponderPtr begin_session(jsonrpc::Incoming&& in, const Post& post);
    ResponderPtr on_listen(const Post& post);
    ResponderPtr on_end_session(const Post& post);
    ResponderPtr on_old_listen(const Post& post);
    ResponderPtr on_old_message(const Post& post);
    /// Answers with a refusal. Returns null.
    ResponderPtr refuse(const Post& post, web::Response response, const jsonrpc::Incoming* in = nullptr) const;
    std::variant<jsonrpc::Incoming, web::Response> decode(const Post& post) const;
    core::Origin origin(const Admitted& admitted) const;

    std::optional<Admission> identify(const framing::HttpRequest& head, Admitted admitted,
                                      const std::function<void()>& retry, const std::string& network) const;
    /// The same, for a request whose session must be loaded.
    std::optional<Admission> load_and_identify(const framing::HttpRequest& head, Admitted admitted,
                                               const std::function<void()>& retry, const std::string& network);
    Admission identify_by_callback(const framing::HttpRequest& head, Admitted admitted) const;
    /// Returns the refusal if a message uses a tool, resource or prompt that its sender may not use.
    std::optional<web::Response> refuse_uses(const Admitted& admitted, const jsonrpc::Incoming& in) const;
    core::MayUse may_use(const Admitted& admitted) const;
    std::shared_ptr<const Caller> who(const Admitted& admitted, const framing::HttpRequest& head,
                                      const std::string& network) const;
    std::variant<SessionPtr, web::Response> make_session(const Admitted& admitted, Reached reached);
    /// Makes a session with this id. `slot`: see PeerSlot.
    std::variant<SessionPtr, web::Response> make_session(const Admitted& admitted, Reached reached, std::string id,
                                                         PeerSlot slot);
    std::optional<web::Response> add(const SessionPtr& session);
    /// Returns the session that the request names, or an error response.
    std::variant<SessionPtr, web::Response> session_of(const Post& post);
    SessionPtr find(std::string_view id, const std::string& principal, Reached reached);
    void end(const SessionPtr& session, std::string_view why, LogLevel level = LogLevel::info);
    /// Returns the owner of the tasks of an anonymous session, on all nodes.
    static std::string task_owner(const std::string& session);
    void end_tasks_of(const std::string& session);
    /// Marks the session as busy: tick() visits it until nothing happens in it any more.
    void wake(const LegacySession& session);

    // endpoint_keys.cpp: requests whose state was sealed with a key that this node does not know
    bool needs_key(const jsonrpc::Request& request) const;
    /// Reads the key ring, and then runs the request.
    ResponderPtr run_with_key(const Post& post, PeerSlot slot, jsonrpc::Incoming&& in);

    // endpoint_cluster.cpp: sessions that several nodes serve
    using LoadedPtr = std::shared_ptr<const LoadedSession>;
    /// Returns whether the request names a session of which this node has no copy that it may use.
    bool needs_loading(const framing::HttpRequest& head) const;
    /// Returns the session in the store. Returns nullopt while it is being loaded; `retry` is called then.
    std::optional<LoadedPtr> load_session(const framing::HttpRequest& head, const std::function<void()>& retry,
                                          const std::string& network);
    SessionPtr local(std::string_view id) const;
    void share(const SessionPtr& session) const;
    std::variant<SessionPtr, web::Response> adopt(const Post& post, const std::string& id);
    std::optional<web::Response> restore(const SessionPtr& session, const Post& post);
    void compare_lists(const SessionPtr& session, const store::SessionRecord& record);
    ListDigests own_lists() { return lists_.of(server_->settings()->features()); }
    ResponderPtr begin_shared(jsonrpc::Incoming&& in, const Post& post);
    ResponderPtr pass_on_shared(const SessionPtr& session, jsonrpc::Incoming&& in, const Post& post);
    ResponderPtr receive_and_save(const SessionPtr& session, jsonrpc::Incoming&& in, const Post& post);
    void save(const SessionPtr& session, std::vector<core::StateChange> changes,
              const std::shared_ptr<HeldResponse>& held);
    bool send_elsewhere(const SessionPtr& session, jsonrpc::Incoming& in, const Post& post);
    ResponderPtr listen_shared(const SessionPtr& session, const Post& post);
    void listen_for_all(const SessionPtr& session, const std::shared_ptr<LogFollower>& follower,
                        const std::string& stream, LogFollower::Start start);
    void leave_stream(const SessionPtr& session, const std::string& log, const LogFollower* except) const;
    ResponderPtr end_shared(const SessionPtr& session, const Post& post);
    // endpoint_restart.cpp
    struct Restart;
    /// Returns the function that runs the calls of a dead node again: see LogFollower::Options.
    std::function<void(const std::shared_ptr<LogFollower>&, const std::string&)> restarter(const SessionPtr& session,
                                                                                           const Admitted& admitted);
    void store_cancellation(const SessionPtr& session, const jsonrpc::Id& id, std::function<void()> then);
    void on_node_message(const json::object& message, bool own);
    void announce(const Announcement& what);
    void announce_here(const KeyedAnnouncement& announcement);
    void on_session_message(const SessionPtr& session, std::string_view kind, const json::object& message);
    void on_gap();

    void tick_requests(bool speak);
    void tick_sessions(bool speak);
    void tick(LegacySession& session, bool speak);
    void end_expired(TimePoint when);
    /// Returns a finished StatelessRequest of the same principal for reuse, or a new one. It counts as running.
    std::shared_ptr<StatelessRequest> stateless_request(const std::string& principal);
    void run(const std::shared_ptr<StatelessRequest>& request);  // under the lock
    void forget(StatelessRequest& request, bool again);
    TimePoint now() const { return options_.clock(); }
    static constexpr const char* why_refused_at_the_end = "the server is shutting down";
    static constexpr const char* why_client_ended = "the session was ended by its client";
    static constexpr const char* why_no_stream = "its first stream could not be opened";

    std::shared_ptr<Server::Impl> server_;
    const EndpointOptions options_;
    const Limits limits_;
    std::optional<TimePoint> last_keep_alive_;  // used only by tick()
    std::atomic<bool> shut_down_{false};
    HttpPeers peers_;
    SentAnnouncements sent_;
    KnownDigests lists_;
    mutable std::mutex mutex_;  // guards the members below; the only callback under it is when_answered
    Sessions sessions_;
    std::vector<std::shared_ptr<StatelessRequest>> running_;
    std::vector<std::shared_ptr<StatelessRequest>> spare_;
};

}  // namespace tenon
