// The client's side of the protocol for one server, as a state machine without I/O, clock, thread or randomness:
// messages and `now` go in, actions come out.
//
// One file a concern: client_engine.cpp (receive, time, the end),
// client_unreadable.cpp (messages that cannot be read), client_lifecycle.cpp (which era, the introduction),
// client_calls.cpp (calls and their answers), client_requests.cpp (how a call is put on the wire), client_input.cpp
// (answers that ask for input), client_asks.cpp (questions of the server), client_notices.cpp (notifications),
// client_subscriptions.cpp (subscriptions/listen).
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

#include "core/client/action.hpp"
#include "core/client/result_cache.hpp"
#include "core/client/settings.hpp"
#include "core/client/tool_catalogue.hpp"
#include "core/elicit_form.hpp"
#include "jsonrpc/codec.hpp"
#include "jsonrpc/envelope_scan.hpp"
#include "protocol/versions.hpp"

namespace tenon::core {

using jsonrpc::Encoded;

/// Not thread-safe. Every function may add actions; take them with take_actions() after each.
class ClientEngine {
 public:
    explicit ClientEngine(std::shared_ptr<const ClientSettings> settings);

    // From the transport.
    void opened(TimePoint now);
    void receive(std::string_view message, TimePoint now);
    /// Receiving this message failed with an exception: the calls that it answers fail with that.
    void cannot_receive(std::string_view message, std::string_view why, TimePoint now);
    /// The server sent a message over the limit, and it is not known which request it answers. It was dropped.
    void receive_too_long(std::size_t limit, TimePoint now);
    /// This request will have no answer.
    void failed(std::int64_t request, Error why, TimePoint now);
    /// The session is gone, and with it what the server knew of us. `request` (0: none) was refused for that, without
    /// being looked at.
    void session_lost(std::int64_t request, TimePoint now);
    /// By the transport: whatever takes long meanwhile, it is not the server.
    void user_asked(bool asked, TimePoint now);
    void closed(Error why);

    // From the user. Calls wait until the server has introduced itself.
    CallId call(ClientCall call, TimePoint now);
    void cancel(CallId call, std::string_view reason);
    void answered(AskId ask, Result<AskAnswer> answer, TimePoint now);
    void roots_changed();
    /// Every call ends with this error, now and from here on.
    void shut_down(Error why);

    void tick(TimePoint now);
    std::optional<TimePoint> next_deadline() const;
    std::vector<ClientAction> take_actions() { return std::exchange(actions_, {}); }

    /// Empty until the server has introduced itself.
    const std::optional<ServerInfo>& server() const { return server_; }
    /// `automatic` until it is known.
    Era era() const;
    std::size_t pending() const { return calls_.size(); }

 private:
    enum class Phase { unopened, probing, initializing, ready, over };

    struct Pending {
        ClientCall call;
        Duration time = {};
        Duration longest = {};
        TimePoint soft = {};  // moves with progress
        TimePoint hard = {};
        std::optional<jsonrpc::Id> request = {};  // its request on the wire
        std::optional<double> last_progress = {};
        std::size_t rounds = 0;
        bool sent_anew = false;    // in a second session, because the first was gone
        json::object inputs = {};  // of this round
        std::optional<std::string> state = {};
        std::set<AskId> asks = {};  // whose answers it waits for
    };
    using Calls = std::map<CallId, Pending>;

    struct OpenAsk {
        std::optional<jsonrpc::Id> request = {};  // the server's, or
        CallId call = 0;                          // the call that needs the answer,
        std::string key = {};                     // under this name
        std::optional<ElicitForm> form = {};
        std::stop_source stop = {};
        std::size_t bytes = 0;  // of the question
    };
    struct ListenStream {
        std::string uri;      // empty: lists
        json::object params;  // of its request
    };
    struct Broken {
        ListenStream listener;
        std::size_t attempt;  // the next
    };

    /// What is wrong with a message.
    struct Fault {
        Error why;
        bool unreadable = false;  // as a whole; otherwise it is a response without an id, for example
    };

    // client_engine.cpp
    std::optional<Fault> accept(jsonrpc::Message& message);
    void arm(CallId id, const Pending& p) { deadlines_.emplace(std::min(p.soft, p.hard), id); }
    void disarm(CallId id, const Pending& p) { deadlines_.erase({std::min(p.soft, p.hard), id}); }
    void rearm(CallId id, Pending& p, TimePoint soft);
    void expire(CallId id, Pending& p);
    void end(const Error& why);
    void note(LogLevel level, std::string text) { actions_.push_back(ClientNote{level, std::move(text)}); }
    std::string quote(std::string_view s) const;

    // client_unreadable.cpp
    Fault fault_of(const jsonrpc::Message& message);
    void blame(std::string_view text, const Fault& fault);
    bool is_open(const jsonrpc::Id& request) const;
    void fail_all_open(const Error& why);

    // client_lifecycle.cpp
    void probe();
    void initialize();
    void on_probe_answer(Result<json::value> answer);
    void on_introduction(Result<json::value> answer);
    void on_unsupported(const Error& error);
    void become_modern(ServerInfo info);
    void become_ready(ServerInfo info, protocol::Revision revision);
    void give_up(Error why);
    void send_anew(CallId id);
    bool lifecycle_answer(jsonrpc::Response& response);
    void tick_lifecycle();
    void wait_on();
    protocol::Revision wanted_revision() const;

    // client_calls.cpp
    void start(CallId id);
    void on_response(jsonrpc::Response& response);
    void settle(Calls::iterator it, json::value result);
    void remember_for_session(const ClientCall& call);
    void finish(Calls::iterator it, Result<json::value> answer);
    void withdraw(const Pending& p, std::string_view reason);
    Result<void> may_send(const ClientCall& call) const;

    // client_requests.cpp
    void send_request(CallId id, Pending& p);
    Encoded encode_params(const Pending& p, std::int64_t request) const;
    void transmit(OutgoingMessage::Kind kind, Encoded message, std::string_view method = {}, std::int64_t id = 0);
    void notify(std::string_view method, const Encoded& params);
    OutgoingMessage outgoing(OutgoingMessage::Kind kind, Encoded message) const;

    // client_input.cpp
    void require_input(Calls::iterator it, const json::object& result);
    void input_arrived(CallId id, const std::string& key, Encoded answer);
    void send_again(CallId id);

    // client_asks.cpp
    void on_request(jsonrpc::Request& request);
    Result<Ask> read_ask(std::string_view method, const json::object& params, OpenAsk& open) const;
    Result<Encoded> encode_answer(const OpenAsk& open, Result<AskAnswer> answer) const;
    Result<void> has_room_for(std::size_t asks, std::size_t bytes) const;
    void put(Ask ask, OpenAsk open);
    OpenAsk take_ask(std::map<AskId, OpenAsk>::iterator it);
    void drop_ask(AskId id);
    void respond(const jsonrpc::Id& id, const Result<Encoded>& answer);
    void on_server_cancelled(const json::object& params);
    bool asked_by_server() const;

    // client_notices.cpp
    void on_notification(jsonrpc::Notification& notification);
    void on_progress(const json::object& params);
    bool is_for_us(const jsonrpc::Notification& notification) const;
    void changed(std::string method, json::object params);

    // client_subscriptions.cpp
    void start_listening();
    void listen(CallId id, Pending& p);
    void on_acknowledged(const json::object& params);
    void unlisten(Calls::iterator it);
    bool listener_over(const jsonrpc::Id& id, std::string_view why);
    bool listener_broke(const jsonrpc::Id& id, const Error& why);
    void listen_later(ListenStream listener, std::size_t attempt);
    void listening_failed(ClientCall& call, const Error& why);
    void tick_subscriptions();
    void tell_what_may_have_changed(const ListenStream& listener);
    void restore_session();

    std::shared_ptr<const ClientSettings> settings_;
    const ClientLimits& limits_;
    Phase phase_ = Phase::unopened;
    std::optional<Error> over_;  // why
    TimePoint now_ = {};         // of what is being done
    std::optional<protocol::Rules> rules_;
    std::optional<ServerInfo> server_;
    json::object request_meta_;  // of each request, where the revision wants that

    std::optional<jsonrpc::Id> probe_, introduction_;  // requests of ours about the era
    std::optional<TimePoint> probe_until_, introduction_until_;
    std::optional<Error> probe_error_;  // what the probe came to, for the error message when nothing works
    bool reopened_ = false;
    bool user_asked_ = false;
    bool asked_again_ = false;  // server/discover, of a server that refused the revision and names it all the same
    bool renewed_ = false;      // the session was lost, and there is another
    std::int64_t session_since_ = 0;  // requests with a greater number are of the session that is there now

    std::int64_t next_request_ = 1;
    CallId next_call_ = 1;
    AskId next_ask_ = 1;
    std::string unmatched_;        // the last response without an id, in words
    CallId unmatched_before_ = 0;  // the calls that were there when it came
    Calls calls_;
    std::deque<CallId> waiting_;  // for the introduction
    std::unordered_map<jsonrpc::Id, CallId, jsonrpc::IdHash> on_wire_;
    std::set<std::pair<TimePoint, CallId>> deadlines_;  // of calls_
    std::map<AskId, OpenAsk> asks_;
    std::size_t ask_bytes_ = 0;  // of asks_
    std::unordered_map<jsonrpc::Id, ListenStream, jsonrpc::IdHash> listeners_;
    std::multimap<TimePoint, Broken> broken_;  // listeners, by when they are asked for again
    std::set<std::string> subscribed_;         // resources, in the session that is there now
    std::optional<LogLevel> log_level_;        // of each request, where there is no method for it; of a new session

    ToolCatalogue tools_;
    ResultCache cache_;
    std::vector<ClientAction> actions_;
};

}  // namespace tenon::core
