// The client's side of the protocol for one server: a state machine without I/O, clock, threads or randomness. Messages
// and `now` go in, actions come out.
//
// The *introduction* is the server's answer to `initialize` (legacy era) or `server/discover` (modern era).
//
// One source file for each concern: engine.cpp (receive, the end), timeouts.cpp, unreadable_answers.cpp (messages that
// cannot be read), lifecycle.cpp (the era, the introduction), restart.cpp (a server that died), keep_alive.cpp (pings),
// calls.cpp (calls and their answers), learn_tools.cpp (the list of tools that calls need), follow_task.cpp (calls that
// became tasks), requests.cpp (encodes calls as requests), input.cpp (answers that ask for input), asks.cpp (questions
// of the server), incoming_notifications.cpp, subscriptions.cpp (subscriptions/listen).
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenon/protocol/server_info.hpp>
#include <tenon/protocol/tasks.hpp>

#include "core/client/action.hpp"
#include "core/client/known_pages.hpp"
#include "core/client/question_rate.hpp"
#include "core/client/result_cache.hpp"
#include "core/client/settings.hpp"
#include "core/client/tool_catalogue.hpp"
#include "core/elicit_form.hpp"
#include "jsonrpc/codec.hpp"
#include "jsonrpc/envelope_scan.hpp"
#include "protocol/versions.hpp"

namespace tenon::core {

using jsonrpc::Encoded;

/// Talks to one server. Not thread-safe. Every function may add actions: call take_actions() after each call, also when
/// it has thrown an exception. Only a lack of memory throws. Call broke() then.
class ClientEngine {
 public:
    explicit ClientEngine(std::shared_ptr<const ClientSettings> settings);

    // For the transport.
    void opened(TimePoint now);
    void receive(std::string_view message, TimePoint now);
    /// Reports that a message over the limit was dropped. It may have answered any request, so all open requests fail.
    void receive_too_long(std::size_t limit, TimePoint now);
    /// Reports that this request will get no response.
    void failed(std::int64_t request, Error why, TimePoint now);
    /// Reports that the server has ended the session, and starts a new one. `request` (0: none) was refused for that
    /// reason and had no effect.
    void session_lost(std::int64_t request, TimePoint now);
    /// Reports that the transport waits for the user, for example to sign in (true), or no longer does (false).
    /// Timeouts pause meanwhile, except the final deadlines of calls.
    void user_asked(bool asked, TimePoint now);
    /// Reports that requests carry other credentials from now on. Drops the private results of the cache.
    void credentials_changed();
    void closed(Error why, TimePoint now);
    /// Reports that the action Reopen failed.
    void cannot_reopen(Error why);

    // For the user. Calls wait until the server has introduced itself.
    /// When it throws, `call` still has its reply, or the call has begun and broke() answers it.
    CallId call(ClientCall&& call, TimePoint now);
    void cancel(CallId call, std::string_view reason);
    void answered(AskId ask, Result<AskAnswer> answer, TimePoint now);
    void roots_changed();
    /// Sends a notification of any method. Fails before the server has introduced itself.
    Result<void> send_notification(std::string_view method, const json::object& params);
    /// Ends all calls with this error. Later calls fail with it, too.
    void shut_down(Error why);
    /// Reports that another function has thrown an exception: the event was handled only in part. Ends all calls and
    /// the connection. Needs no memory.
    void broke() noexcept;

    void tick(TimePoint now);
    std::optional<TimePoint> next_deadline() const;
    ClientActions take_actions() noexcept {
        ClientActions out;
        out.swap(actions_);
        return out;
    }

    /// Empty until the server has introduced itself.
    const std::optional<ServerInfo>& server() const { return server_; }
    /// Returns the era of the server; `automatic` until it is known.
    Era era() const;
    std::size_t pending() const { return calls_.size(); }

 private:
    enum class Phase { unopened, probing, initializing, ready, over };
    using Kind = ClientCall::Kind;

    /// What a call waits for.
    enum class Step : std::uint8_t {
        response,       // to its request, or the user's answers, or the introduction of the server
        list_to_send,   // the list of tools, before its request is sent
        list_to_check,  // the list of tools, to check its result
        list_to_retry,  // the list of tools, because the server refused its headers
        next_poll,      // the time of the next tasks/get
    };
    /// A task that a call follows to its end.
    struct FollowedTask {
        enum class Request : std::uint8_t { get, update, result };
        std::string id;
        bool owned = false;              // the call started it, so cancelling the call cancels the task
        Request request = Request::get;  // the last one
        Duration poll = {};
        std::set<std::string> answered = {};  // keys of questions whose answers were sent
        std::string told = {};                // the status message that was reported last
        std::size_t reports = 0;
        std::size_t failures = 0;                        // polls in a row that got no response
        std::optional<jsonrpc::Id> progress_token = {};  // of the request that started it (2025-11-25)
    };

    struct Pending {
        ClientCall call;
        Duration time = {};
        Duration longest = {};
        TimePoint soft = {};                      // the deadline that progress extends
        TimePoint hard = {};                      // the final deadline
        std::optional<jsonrpc::Id> request = {};  // the request that was sent, until its response
        std::optional<double> last_progress = {};
        Step step = Step::response;
        bool knows_tools = false;                      // has waited for the list of tools
        bool headers_retried = false;                  // was sent again, because the server refused its headers
        std::optional<Result<json::value>> held = {};  // its answer, while it waits for the list of tools
        std::uint64_t credentials = 0;                 // credentials_ when it was sent
        std::optional<FollowedTask> task = {};
        std::size_t rounds = 0;    // answers that asked for input
        bool sent_anew = false;    // was sent again in a new session, because the server had ended the old one
        json::object inputs = {};  // answers to the questions of this round, by key
        std::optional<std::string> state = {};  // the server's `requestState`
        std::set<AskId> asks = {};              // open questions of this round
        ClientActions answer = {};  // one HandOver, made in advance, so that the call can end without memory
    };
    using Calls = std::map<CallId, Pending>;

    struct OpenAsk {
        std::optional<jsonrpc::Id> request = {};  // the server's request (legacy), or
        CallId call = 0;                          // the call that asked for input (modern),
        std::string key = {};                     // and the key of the question
        std::optional<ElicitForm> form = {};
        std::stop_source stop = {};
        std::size_t bytes = 0;    // of the question
        ClientActions drop = {};  // one StopAsk, made in advance, so that the question can end without memory
    };
    struct ListenStream {
        std::string uri;      // empty: listens to changes of lists
        json::object params;  // of the request
    };
    struct Broken {
        ListenStream listener;
        std::size_t attempt;  // the number of the next attempt
    };

    /// A message that could not be handled, and why.
    struct Fault {
        Error why;
        bool unreadable = false;  // the message as a whole; false for a readable response without an id, for example
    };

    // engine.cpp
    std::optional<Fault> accept(jsonrpc::Message& message, std::string_view text);
    void end(const Error& why) noexcept;
    void note(LogLevel level, std::string text) { actions_.push_back(ClientNote{level, std::move(text)}); }
    std::string quote(std::string_view s) const;

    // timeouts.cpp
    void arm(CallId id, const Pending& p) { deadlines_.emplace(std::min(p.soft, p.hard), id); }
    void disarm(CallId id, const Pending& p) { deadlines_.erase({std::min(p.soft, p.hard), id}); }
    void rearm(CallId id, Pending& p, TimePoint soft) noexcept;
    void expire(CallId id, Pending& p);

    // unreadable_answers.cpp
    void cannot_receive(std::string_view message, std::string_view why);
    Fault fault_of(const jsonrpc::Message& message, std::string_view text);
    void blame(std::string_view text, const Fault& fault);
    bool is_open(const jsonrpc::Id& request) const;
    void fail_all_open(const Error& why);

    // lifecycle.cpp
    void probe();
    void initialize();
    void on_probe_answer(Result<json::value> answer);
    void on_introduction(Result<json::value> answer);
    void on_unsupported(const Error& error);
    void become_modern(ServerInfo info);
    void become_ready(ServerInfo info, protocol::Revision revision);
    void give_up(Error why);
    void send_anew(CallId id);

    // restart.cpp
    bool restart(const Error& why);
    void fail_started_calls(const Error& why);

    // keep_alive.cpp
    std::optional<TimePoint> next_ping() const;
    void tick_keep_alive();
    void pinged(const Result<json::value>& answer);

    // lifecycle.cpp, continued
    bool lifecycle_answer(jsonrpc::Response& response);
    void tick_lifecycle();
    void wait_on();
    protocol::Revision wanted_revision() const;

    // calls.cpp
    CallId admit(ClientCall&& call);
    void start(CallId id);
    void dispatch(CallId id, Pending& p);
    void on_response(jsonrpc::Response& response);
    void on_error(Calls::iterator it, Error error);
    void settle(Calls::iterator it, json::value result);
    void conclude(Calls::iterator it, json::value result);
    void keep_in_cache(const Pending& p, const json::value& result);
    void remember_for_session(const ClientCall& call);
    void finish(Calls::iterator it, Result<json::value> answer);
    Kind release(Calls::iterator it, Result<json::value>& answer) noexcept;
    void withdraw(const Pending& p, std::string_view reason);
    Result<void> may_send(const ClientCall& call) const;

    // learn_tools.cpp
    static bool is_listing(Step step) { return step != Step::response && step != Step::next_poll; }
    bool needs_tools_to_send(const Pending& p) const;
    bool needs_tools_to_check(const Pending& p, const json::object& result) const;
    void wait_for_tools(CallId id, Pending& p, Step step);
    void list_tools(json::object params);
    void on_tools_page(const Result<json::value>& answer);
    void saw_tools(const ClientCall& call, const json::value& result);
    void forget_tools();
    void go_on(CallId id, bool listed);

    // follow_task.cpp
    bool may_be_task() const;
    void add_task(ClientCall& call) const;
    bool is_created_task(const ClientCall& call, const json::object& result) const;
    void begin_task(Calls::iterator it, const json::value& result);
    void follow(CallId id, Pending& p);
    void on_task_response(Calls::iterator it, Result<json::value> outcome);
    void on_task_state(Calls::iterator it, TaskInfo task);
    void task_over(Calls::iterator it, TaskInfo task);
    void ask_for_task(Calls::iterator it, const json::object& questions);
    void tell_status(Pending& p, const TaskInfo& task);
    void poll_later(CallId id, Pending& p);
    void poll_failed(Calls::iterator it, Error why);
    void poll_again(CallId id, Pending& p);
    void send_for_task(CallId id, Pending& p, FollowedTask::Request request, json::object params = {});
    void answer_task(CallId id, Pending& p);
    void cancel_task(const std::string& task);

    // requests.cpp
    void send_request(CallId id, Pending& p) { send_method(id, p, p.call.method, p.call.params); }
    void send_method(CallId id, Pending& p, const std::string& method, const json::object& params);
    Result<void> try_to_send(CallId id, Pending& p, const std::string& method, const json::object& params);
    Encoded encode_params(const Pending& p, const json::object& params, std::int64_t request) const;
    void transmit(OutgoingMessage::Kind kind, Encoded message, std::string_view method = {}, std::int64_t id = 0);
    void notify(std::string_view method, const Encoded& params);
    OutgoingMessage outgoing(OutgoingMessage::Kind kind, Encoded message) const;

    // input.cpp
    void require_input(Calls::iterator it, const json::object& result);
    Result<void> ask(CallId id, Pending& p, const json::object& questions);
    void input_arrived(CallId id, const std::string& key, Encoded answer);
    void send_again(CallId id);

    // asks.cpp
    void on_request(jsonrpc::Request& request);
    Result<Ask> read_ask(std::string_view method, const json::object& params, OpenAsk& open);
    Result<Ask> read_question(std::string_view method, const json::object& params, OpenAsk& open);
    Result<Ask> read_sampling(const json::object& params);
    Result<Ask> read_page(const json::object& params);
    Result<Ask> read_form(const json::object& params, OpenAsk& open);
    Result<void> may_ask_now();
    void remember_pages(const Error& error);
    Result<Encoded> encode_answer(const OpenAsk& open, Result<AskAnswer> answer);
    Result<void> has_room_for(std::size_t asks, std::size_t bytes) const;
    void put(Ask ask, OpenAsk open);
    OpenAsk take_ask(std::map<AskId, OpenAsk>::iterator it);
    void drop_ask(AskId id) noexcept;
    void respond(const jsonrpc::Id& id, const Result<Encoded>& answer);
    void on_server_cancelled(const json::object& params);
    bool asked_by_server() const;

    // incoming_notifications.cpp
    void on_notification(jsonrpc::Notification& notification);
    void on_progress(const json::object& params);
    std::optional<CallId> call_of(const jsonrpc::Id& token) const;
    bool is_for_us(const jsonrpc::Notification& notification) const;
    void changed(std::string method, json::object params);

    // subscriptions.cpp
    void start_listening();
    void listen(CallId id, Pending& p);
    void on_acknowledged(const json::object& params);
    void unlisten(Calls::iterator it);
    bool listener_over(const jsonrpc::Id& id, std::string_view why);
    bool listener_broke(const jsonrpc::Id& id, const Error& why);
    void listen_later(ListenStream listener, std::size_t attempt);
    void listening_failed(ClientCall& call, const Error& why);
    void tick_subscriptions();
    void remember_list(std::string_view method);
    void tell_what_may_have_changed(const ListenStream& listener, bool was_broken);
    void restore_session();

    std::shared_ptr<const ClientSettings> settings_;
    const ClientLimits& limits_;
    Phase phase_ = Phase::unopened;
    std::optional<Error> over_;    // the reason
    TimePoint now_ = {};           // of the current event
    std::size_t heard_bytes_ = 0;  // of the current message
    std::optional<protocol::Rules> rules_;
    std::optional<ServerInfo> server_;
    json::object request_meta_;  // added to each request, in the modern era

    std::optional<jsonrpc::Id> probe_, introduction_;  // the open `server/discover` and `initialize`
    std::optional<TimePoint> probe_until_, introduction_until_;
    std::optional<Error> probe_error_;  // the error of `server/discover`; quoted when `initialize` fails, too
    bool reopened_ = false;             // the transport was reopened, because the server ended at `server/discover`
    bool user_asked_ = false;           // the transport waits for the user
    bool asked_again_ = false;        // `server/discover` was sent twice: the server refused the revision, but lists it
    bool renewed_ = false;            // the session was lost, and a new one is being opened
    TimePoint ready_since_ = {};      // the last introduction of the server
    std::size_t restarts_ = 0;        // of the server, in a row
    TimePoint heard_ = {};            // the time of the last message of the server
    bool pinging_ = false;            // a keep_alive call is open
    std::int64_t session_since_ = 0;  // requests with a greater id belong to the current session

    std::int64_t next_request_ = 1;
    CallId next_call_ = 1;
    AskId next_ask_ = 1;
    std::string unmatched_;        // describes the last response without an id
    CallId unmatched_before_ = 0;  // calls with a smaller id were open when it arrived
    Calls calls_;
    std::deque<CallId> waiting_;                                              // for the introduction
    std::unordered_map<jsonrpc::Id, CallId, jsonrpc::IdHash> task_progress_;  // FollowedTask::progress_token of calls_
    std::uint64_t credentials_ = 0;                                           // counts changes of the credentials
    std::unordered_map<jsonrpc::Id, CallId, jsonrpc::IdHash> on_wire_;
    std::set<std::pair<TimePoint, CallId>> deadlines_;  // of calls_
    std::map<AskId, OpenAsk> asks_;
    std::size_t ask_bytes_ = 0;  // of asks_
    std::unordered_map<jsonrpc::Id, ListenStream, jsonrpc::IdHash> listeners_;
    std::multimap<TimePoint, Broken> broken_;  // by the time of the next attempt
    struct RequestedLists {
        bool tools = false, resources = false, prompts = false;
    };
    RequestedLists requested_lists_;     // at any time, also to learn the tools
    std::set<std::string> subscribed_;   // URIs of resources, in the legacy era
    std::optional<LogLevel> log_level_;  // sent in each modern request, and to each new legacy session

    /// Whether the list of tools is known.
    enum class Listing : std::uint8_t { never, running, done };
    Listing listing_ = Listing::never;
    std::size_t listed_pages_ = 0;
    TimePoint list_until_ = {};
    KnownPages pages_;
    QuestionRate question_rate_;
    ToolCatalogue tools_;
    ResultCache cache_;
    ClientActions actions_;
    ClientActions hangup_;  // one Hangup, made in advance for broke()
};

}  // namespace tenon::core
