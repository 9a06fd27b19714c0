// The server's side of the protocol for one peer: a state machine without I/O, clock, threads or randomness. Messages
// and `now` go in, actions come out.
//
// The engine receives, dispatches and answers. Parts with a state of their own are classes: PendingQuestions,
// ActiveSubscriptions, Lists, TaskMethods. The member functions have one source file for each concern: engine.cpp
// (receive, dispatch, answer), batch.cpp, cancellation.cpp, lifecycle.cpp, tools.cpp, resources.cpp, prompts.cpp,
// completion.cpp, extension_method.cpp, skills.cpp, interception.cpp (middleware and access rules), call_rate.cpp,
// ended.cpp (the end of each request, for observers),
// questions.cpp (questions to the client), replay.cpp (questions in a result), subscriptions.cpp,
// elicitation_complete.cpp, outgoing_notifications.cpp, restore.cpp (sessions of several nodes),
// ../tasks/task_notifications.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/memory.hpp"
#include "core/server/action.hpp"
#include "core/server/active_subscriptions.hpp"
#include "core/server/known_peer.hpp"
#include "core/server/lists.hpp"
#include "core/server/peer_identity.hpp"
#include "core/server/pending_questions.hpp"
#include "core/server/session_state.hpp"
#include "core/server/settings.hpp"
#include "core/server/uses.hpp"
#include "core/tasks/task_methods.hpp"
#include "protocol/part_limits.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::core {

/// Returns the size of the bucket for Limits::max_calls_per_second. `continued`: for further rounds of calls.
base::BucketSize call_bucket(const Limits& limits, bool continued);
/// Sets the name of a call, unless it has this name already.
void set_name(Call& call, std::string_view name);
/// Returns the peer of requests whose client has not introduced itself.
const std::shared_ptr<const Peer>& unknown_peer();

/// Serves one peer. Not thread-safe. Every function may add actions: call take_actions() after each call.
class ServerEngine {
 public:
    explicit ServerEngine(std::shared_ptr<const Settings> settings, PeerIdentity identity = {});
    ServerEngine(const ServerEngine&) = delete;  // its parts refer to each other
    ServerEngine& operator=(const ServerEngine&) = delete;

    // For the transport.
    void receive(std::string_view message, TimePoint now, ReplyTo reply_to = 0);
    /// Receives a message that the transport has decoded already.
    void receive(jsonrpc::Incoming&& message, TimePoint now, Origin origin = {});
    jsonrpc::DecodeLimits decode_limits() const { return protocol::decode_limits(limits_); }
    /// Charges another account from now on: the next request comes from another peer.
    void charge_to(const base::MemoryAccountPtr& account) {
        if (identity_.account != account) identity_.account = account;
    }
    /// Answers the request in a message that receive() could not handle, for example because memory was short. Returns
    /// false for a message that must not be lost, and cannot be answered: a response, or a batch.
    bool cannot_receive(std::string_view message, const Error& why);
    void receive_too_long();
    /// Sends the error for a message that the transport dropped, for lack of memory, before it was complete.
    void refuse_memory(MemoryDecision verdict) { refuse(Unreadable{}, memory_error(verdict, new_charge()), nullptr); }
    const base::MemoryAccountPtr& account() const { return identity_.account; }
    void end_of_input();

    // For several nodes that serve one session (legacy): see restore.cpp.
    /// Continues a session that another node began, or takes over its newer state. `origin` is the sender of the
    /// request that needs it. Fails when the account is charged too much.
    Result<void> restore(const SessionState& state, const Origin& origin);
    /// Applies a change that the client made on another node.
    Result<void> apply_change(const StateChange& change);
    /// Returns the state of the session; nullopt before `initialize`.
    std::optional<SessionState> state() const;
    /// Keeps changes of the state from now on, for take_changes(). Names this node in the ids of questions.
    void share_with_nodes(std::string node);
    std::vector<StateChange> take_changes() { return std::exchange(changes_, {}); }
    /// Returns whether the request with this id is running here.
    bool runs(const jsonrpc::Id& id) const { return running_.contains(id); }
    /// Returns whether a question with this id waits for its answer here.
    bool asks(const jsonrpc::Id& id) const { return questions_.has(id); }
    bool asks(PendingQuestions::QuestionId id) const { return questions_.has(id); }

    /// Returns whether the peer has sent `initialize`, and its revision has this trait.
    bool peer_has(protocol::Trait trait) const { return peer_ && peer_->rules.has(trait); }

    // For handlers.
    void answered(const CallPtr& call, Result<HandlerResult>&& outcome);
    /// Notes that the handler of a call could not be started: the call is refused.
    static void not_started(const CallPtr& call) { call->state_.handled = false; }
    /// Tells that an exception of middleware is the answer. It counts like one of the handler: it is not a refusal.
    static void middleware_threw(const CallPtr& call) { call->state_.handled = true; }
    /// Answers a call with an error, unless it is over.
    void fail_open(const CallPtr& call, Error why) {
        if (call->state_.open) answer(call, std::move(why));
    }
    /// Without a time, the time of the last message counts for the rate limit.
    void progress(const CallPtr& call, double done, std::optional<double> total, std::string_view message,
                  std::optional<TimePoint> now = {});
    void log(const CallPtr& call, LogLevel level, const json::value& data, std::string_view logger,
             std::optional<TimePoint> now = {});
    /// Serves a request whose middleware and access rules allow it. `reply` gets the result, for the middleware.
    /// `hidden` are the URIs that the request must do without.
    void proceed(const NewCall& call, Reply<HandlerResult> reply, std::set<std::string> hidden, TimePoint now);
    /// Asks all questions at once. Each gets an answer or, after Limits::ask_time, an error.
    void ask(const CallPtr& call, std::vector<Question> questions, TimePoint now);
    void elicitation_complete(const CallPtr& call, std::string_view elicitation_id);
    void let_poll(const CallPtr& call, std::chrono::milliseconds retry);
    std::optional<json::value> recall(const CallPtr& call, std::string_view key);
    void remember(const CallPtr& call, std::string_view key, json::value v);

    /// Answers the call with a task that it has become. Returns false, and does nothing, when the call is closed
    /// already.
    bool became_task(const CallPtr& call, const TaskRecord& task);
    /// Withdraws the open questions of a task that is over.
    void task_over(const CallPtr& call);

    // For the server.
    /// Notifies the clients that may see the entry.
    void list_changed(const ListChange& change);
    /// Sends the notification after access was checked: see CheckListChange.
    void tell_list_changed(ListKind kind, const CallPtr& listener);
    void resource_updated(std::string_view uri);
    /// Sends the notification of an update after access was checked: see CheckUpdate.
    void tell_updated(std::string_view uri, const CallPtr& listener);
    void task_changed(const TaskRecord& task);
    /// Gets the tasks of a LoadTasks action, and starts the subscription. Returns whether it did. The listener learns
    /// of all changes from now on: load the tasks once more, and call tell_listener_of_tasks().
    bool tasks_loaded(const std::shared_ptr<ListenCall>& listener, const Result<std::vector<TaskRecord>>& tasks);
    void tell_listener_of_tasks(const CallPtr& call, const std::vector<TaskRecord>& tasks);
    /// Adds the ids of the tasks that listeners asked for.
    void add_listened_tasks(std::set<std::string>& ids) const;
    /// Answers running calls with an error, stops them, and refuses all later requests.
    void shut_down(std::string_view why);

    void tick(TimePoint now);
    /// Returns when tick() is needed next. May be too early, when the call with that deadline is over, but never too
    /// late.
    std::optional<TimePoint> next_deadline() const;
    std::vector<Action> take_actions() { return std::exchange(actions_, {}); }
    /// Passes the actions to `use`, one by one, and keeps the vector's memory. `use` must not call the engine.
    template <class Use>
    void take_actions(Use use) {
        for (Action& action : actions_) use(action);
        actions_.clear();
    }
    bool has_actions() const { return !actions_.empty(); }

    /// Returns whether a parameter belongs to one round of a call, and not to the call itself (2026-07-28).
    static bool is_round_parameter(std::string_view parameter);

    /// Returns whether no call is running. Open subscriptions do not count, since they never end on their own.
    bool idle() const { return running_.size() == subscriptions_.listeners().size(); }

 private:
    using Handler = MethodOutcome (ServerEngine::*)(const NewCall&, const json::object&);
    struct HandlerRow;
    static const HandlerRow handler_rows[];
    /// Returns null for a method that is not a request of clients.
    static Handler handler_of(const protocol::Method& method);

    using BatchPtr = std::shared_ptr<Batch>;

    // engine.cpp
    void accept(jsonrpc::Message& message, const BatchPtr& batch);
    void on_request(jsonrpc::Request& request, const BatchPtr& batch);
    void on_notification(const jsonrpc::Notification& notification);
    void on_response(jsonrpc::Response& response);
    Result<void> read_meta(const Call& call) const;
    Result<std::shared_ptr<const Peer>> peer_of(const jsonrpc::Request& request);
    Result<void> may_call(const Call& call) const;
    Result<void> check(Call& call);
    void dispatch(const NewCall& call);
    void keep_running(const CallPtr& call, Duration time);
    void answer(const CallPtr& call, Result<HandlerResult>&& outcome);
    Send encode_answer(const Call& call, Result<HandlerResult>& outcome) const;
    /// A message that is not a readable request. It may have a readable id.
    struct Unreadable {
        std::optional<jsonrpc::Id> id = {};
    };
    void refuse(const Unreadable& message, const Error& error, const BatchPtr& batch);
    void refuse(jsonrpc::Request& request, const Error& error, const BatchPtr& batch);
    Send encode_refusal(const std::optional<jsonrpc::Id>& id, Error error, const protocol::Rules& rules) const;
    protocol::Rules refusal_rules(const jsonrpc::Request& request) const;
    void refuse_memory(const jsonrpc::Incoming& in, const Error& error);
    void deliver(Send&& answer, const BatchPtr& batch);
    MemoryCharge new_charge() const { return MemoryCharge(identity_.account); }
    Result<void> may_run(const Call& call) const;
    void go_on(const NewCall& call, MethodOutcome&& outcome);
    void run(const CallPtr& call, RunHandler&& handler);
    void close(const CallPtr& call);
    void expire(const CallPtr& call);
    void expire_calls(TimePoint now);
    void send(Encoded message, const CallPtr& call = nullptr) {
        actions_.push_back(Send{std::move(message), call ? call->reply_to : 0});
    }
    void send_everywhere(Encoded message) {
        actions_.push_back(Send{.message = std::move(message), .everywhere = true});
    }
    void note(LogLevel level, std::string text) { actions_.push_back(Note{level, std::move(text)}); }
    std::string quote(std::string_view s) const;
    const Features& features();

    // restore.cpp
    bool changed(StateChange::Kind kind, std::string_view value = {});

    // interception.cpp
    void intercept(const NewCall& call, std::optional<Error> refusal);
    void accepted(const NewCall& call);

    // ended.cpp
    bool observed() const { return static_cast<bool>(settings_->new_span); }
    std::optional<Ended> ended(const CallPtr& call, const Result<HandlerResult>& outcome, std::size_t bytes) const;
    Ended refused(CallPtr call, const Error& error, std::size_t bytes) const;
    CallPtr refused_call(jsonrpc::Request& request) const;
    void make_room();

    // call_rate.cpp
    Result<void> count(const Call& call);
    bool may_notify(const Call& call, TimePoint now) const;

    // batch.cpp
    void receive_batch(jsonrpc::Messages& messages);
    void collect(Encoded&& answer, Batch& batch);
    void settle(const BatchPtr& batch);

    // cancellation.cpp
    void on_cancelled(const json::object& params);

    // lifecycle.cpp
    MethodOutcome initialize(const NewCall& call, const json::object& params);
    MethodOutcome ping(const NewCall& call, const json::object& params);
    MethodOutcome set_level(const NewCall& call, const json::object& params);
    MethodOutcome discover(const NewCall& call, const json::object& params);
    Declared declare();
    void write_introduction(json::Writer& w, const protocol::Rules& rules, const Declared& declared) const;

    // tools.cpp
    MethodOutcome call_tool(const NewCall& call, const json::object& params);
    static MethodOutcome refuse_arguments(const Call& call, const std::vector<schema::Violation>& violations);

    // resources.cpp
    MethodOutcome read_resource(const NewCall& call, const json::object& params);
    bool has_resource(const std::string& uri);
    Result<std::string> checked_uri(const json::object& params) const;
    Error unknown_resource(std::string_view uri) const;

    // prompts.cpp, completion.cpp
    MethodOutcome get_prompt(const NewCall& call, const json::object& params);
    MethodOutcome complete(const NewCall& call, const json::object& params);

    // outgoing_notifications.cpp
    bool wants_log(const CallPtr& call, LogLevel level) const;
    void flush_notifications(const CallPtr& call);
    void update(const Access& access, const std::string& uri, const CallPtr& listener);
    void tell_if_visible(Access access, const ListChange& change, const CallPtr& listener);
    void ping_client(TimePoint now);
    std::optional<TimePoint> next_ping() const;

    // questions.cpp
    void ask_by_request(const CallPtr& call, Question question, TimePoint now);
    Result<void> may_ask(const Call& call, const Question& question) const;
    void withdraw(const std::vector<PendingQuestions::QuestionId>& ids, Error why);
    void withdraw_questions_of(const CallPtr& call, std::string_view why);
    void fail(Reply<json::value> reply, Error error) {
        actions_.push_back(Deliver{std::move(reply), std::move(error)});
    }

    // extension_method.cpp
    static void read_method_params(Call& call, const json::object& defaults);
    MethodOutcome call_extension_method(const NewCall& call);

    // replay.cpp
    static Replay& replay_of(const Call& call);
    Result<void> read_replay(Call& call);
    void ask_by_result(const CallPtr& call, std::vector<Question> questions);
    Result<std::string> seal_state(const Call& call) const;
    void check_replay(const Call& call, const std::optional<std::string>& difference);
    void require_input(const CallPtr& call, const std::vector<Question>& missing);

    template <auto Method>
    MethodOutcome list(const NewCall& call, const json::object&) {
        remember_reader(*call);
        if (!call->access.rules) return (lists_.*Method)(*call, features());
        features();  // access rules are user code, so they run in a job
        return RunHandler{Placement::worker, limits_.handler_time,
                          [lists = lists_, call = call.get(), known = features_](Context&, Reply<HandlerResult> reply) {
                              std::move(reply).send((lists.*Method)(*call, *known));
                          }};
    }
    MethodOutcome list_resources(const NewCall& call, const json::object& params);
    void remember_reader(const Call& call) {
        if (call.peer == peer_) reader_ = call.access;
    }
    template <auto Method>
    MethodOutcome task_method(const NewCall& call, const json::object&) {
        return run_task_method((task_methods_.*Method)(*call));
    }
    static MethodOutcome run_task_method(Result<Job> job);
    MethodOutcome task_result(const NewCall& call, const json::object& params);

    // task_notifications.cpp
    void start_listening(ListenCall&& listener, const std::vector<TaskRecord>& tasks);
    void tell_of_task(const ListenCall& listener, const TaskRecord& task);
    CallPtr waiting_call(std::string_view task) const;
    CallPtr stream_of(const CallPtr& call) const;
    static void write_meta(json::Writer& w, const CallPtr& call);

    // subscriptions.cpp
    MethodOutcome subscribe(const NewCall& call, const json::object& params);
    MethodOutcome unsubscribe(const NewCall& call, const json::object& params);
    MethodOutcome listen(const NewCall& call, const json::object& params);
    void tell_listener(const ListenCall& listener, std::string_view method, const Encoded& members = {});
    void end_listeners();

    std::shared_ptr<const Settings> settings_;
    PeerIdentity identity_;
    const Limits& limits_;
    Lists lists_;
    TaskMethods task_methods_;
    std::shared_ptr<const Features> features_;  // for the current message
    std::shared_ptr<const Peer> peer_;          // set by `initialize`
    KnownPeer known_peer_;                      // the last modern client
    /// Of the last modern request, for the refusal of messages that do not name their revision.
    protocol::Rules last_rules_{protocol::oldest_revision};
    bool initialized_ = false;  // notifications/initialized was received
    bool input_ended_ = false;
    std::optional<std::string> shut_down_;  // the reason
    LogLevel log_level_;
    // Of the current message:
    TimePoint now_ = {};
    ReplyTo reply_to_ = 0;
    std::shared_ptr<json::Arena> memory_;
    MayUse may_use_;
    std::shared_ptr<const Caller> caller_;
    SharedTrace carried_;
    std::size_t bytes_ = 0;

    CallsById running_;
    /// A lower bound for the deadlines of running_. May be the deadline of a call that is over: nearly all calls end
    /// long before their deadline, so it is not worth updating.
    std::optional<TimePoint> first_deadline_;
    PendingQuestions questions_;
    ActiveSubscriptions subscriptions_;
    Access subscriber_;  // of the last resources/subscribe
    Access reader_;      // of the session's last list or, before that, its `initialize`
    TimePoint last_heard_ = {};
    std::optional<PendingQuestions::QuestionId> ping_;  // that waits for its answer
    MemoryCharge peer_charge_;
    bool shared_ = false;  // with other nodes
    std::vector<StateChange> changes_;
    std::vector<Action> actions_;
};

}  // namespace tenon::core

#pragma GCC visibility pop
