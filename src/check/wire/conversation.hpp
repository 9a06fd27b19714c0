// Conversation: one dialogue with the server under test, in one revision, with the same interface for stdio and HTTP.
//
//     Conversation talk(subject, protocol::Rules(revision), &judge);
//     if (!talk.open()) return talk.why();                       // initialize, or server/discover
//     Answer answer = talk.ask("tools/list");                    // a good request and its answer
//     const std::size_t number = talk.send(R"({"jsonrpc":1})");  // any bytes, as one message
//     Answer other = talk.answer(number);                        // waits, at most Options::answer_time
//     talk.settle();                                             // all immediate messages have arrived
//     for (const Received& message : talk.received()) ...         // everything that the server sent
//
// A MessageObserver (the judge) sees every message first. Use it from one thread. Options::answer_time and
// Options::time limit every wait.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/wire/process_wire.hpp"
#include "check/wire/reading.hpp"
#include "check/wire/subject.hpp"
#include "jsonrpc/id.hpp"
#include "protocol/versions.hpp"
#include "web/client_request.hpp"

namespace tenon::check {

/// A message that the checker sent.
struct Sent {
    std::size_t number = 0;              ///< counts from 1
    std::string bytes = {};              ///< as sent; at most Options::max_evidence_bytes + 1
    std::optional<jsonrpc::Id> id = {};  ///< nullopt: no response can have its id
    std::string method = {};             ///< empty: it has no method
    json::object params = {};
    bool sound = true;                        ///< a valid request by itself: its response must have its id
    bool answerable = false;                  ///< a request or an invalid message: a response may come
    bool refusable = false;                   ///< no valid message for a server: an error without an id may come
    bool given_up = false;                    ///< its response did not come in time
    std::shared_ptr<Exchange> exchange = {};  ///< over HTTP
    std::shared_ptr<Exchange> post = {};      ///< over HTTP+SSE: its POST; the response comes on another stream
    std::size_t answers = 0;                  ///< responses so far
    std::size_t first_answer = 0;             ///< index of the first response in Conversation::received()
};

/// A message of the server, or text in the place of one.
struct Received {
    std::string text;  ///< as received: a line, a body, or the data of an event
    Reading reading = {};
    std::size_t answers = 0;                  ///< Sent::number of its request; 0: it is not a response
    bool in_lines = false;                    ///< stdio: one message over several lines
    bool in_array = false;                    ///< an element of an array
    std::string id_text = {};                 ///< the text of its `id`
    std::shared_ptr<Exchange> exchange = {};  ///< its HTTP exchange
    std::string broken = {};                  ///< the rule that it breaks, found by the listener

    const json::object* object() const { return reading.value ? reading.value->if_object() : nullptr; }
};

/// The outcome of a request.
struct Answer {
    json::object message = {};  ///< the whole response; empty when none came
    std::string why = {};       ///< why none came: "the server exited with status 1"
    std::string broken = {};    ///< the rule that it breaks, found by the listener
    int status = 0;             ///< HTTP status; 0 over stdio
    bool is_late = false;       ///< none came in time, but one may still come
    /// The request and the response, when one came. More precise than the transcript, which has all other messages too.
    std::vector<Evidence> evidence = {};

    bool came() const { return !message.empty(); }
    bool is_result() const { return message.contains("result"); }
    bool is_error() const { return message.contains("error"); }
    const json::object& result() const;  ///< empty for an error
    std::optional<int> code() const;     ///< of the error
    std::string error_text() const;      ///< "-32601 (no such method)"
};

class Conversation;

/// Sees every message of the server once, in order.
class MessageObserver {
 public:
    virtual ~MessageObserver() = default;
    /// Returns the rule that the message breaks, or an empty string. `sent` is its request, or null.
    virtual std::string received(const Received& received, const Sent* sent, const Conversation& talk) = 0;
    /// Called at the end of an HTTP response.
    virtual void ended(const Exchange& exchange, const Sent* sent, const Conversation& talk) = 0;
};

class Conversation {
 public:
    /// Changes an HTTP request before it is sent.
    using Tweak = std::function<void(web::ClientRequest&)>;

    Conversation(Subject& subject, protocol::Rules rules, MessageObserver* listener = nullptr);
    ~Conversation();  ///< ends the process as the specification says, or the session
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;

    /// Sends initialize and notifications/initialized, or server/discover. Returns false on failure; see why().
    bool open();
    const std::string& why() const { return why_; }
    /// Returns the result of initialize or server/discover.
    const json::object& introduction() const { return introduction_; }

    /// Makes a valid request of this revision with a new id.
    json::object request(std::string_view method, json::object params = {});
    json::object notification(std::string_view method, json::object params = {}) const;
    /// Returns the `_meta` that every request carries; empty in revisions with a handshake.
    json::object meta() const;

    /// Sends any bytes as one message: a line, or the body of a POST. Returns its number.
    std::size_t send(std::string_view bytes, const Tweak& tweak = {});
    std::size_t send(const json::object& message, const Tweak& tweak = {});
    /// Over stdio: sends a message piece by piece, or without its newline.
    std::size_t send_in_pieces(std::string_view bytes);
    std::size_t send_cut(std::string_view bytes);
    /// Over stdio: sends any bytes without a newline at their end. Each newline in them ends a message that the server
    /// may refuse.
    void send_raw(std::string_view bytes);
    void end_input();

    /// Waits for the response to the message with this number.
    Answer answer(std::size_t number);
    /// The same, but waits until this time at the latest.
    Answer answer_by(std::size_t number, TimePoint until);
    /// The same, but waits a short time only: three times the slowest response so far, and not less than 300 ms. For a
    /// message whose response is overdue: the response to a later message has already arrived.
    Answer answer_soon(std::size_t number);
    /// The same, but waits twenty times the slowest response so far, and not less than two seconds. For a message that
    /// a server may drop.
    Answer answer_promptly(std::size_t number);
    /// Expects no response to this message any more. One that still comes is matched to it.
    void give_up(std::size_t number);
    /// From now on, an error without an id answers none of the earlier messages.
    void expect_no_more_refusals();
    Answer ask(std::string_view method, json::object params = {}, const Tweak& tweak = {});
    void tell(std::string_view method, json::object params = {});

    /// Returns a request that every server of this revision answers at once.
    std::string_view harmless() const;
    /// Sends a harmless request and waits for its response. Messages that the server sends at once have arrived by
    /// then. Returns false when no response comes.
    bool settle();
    /// Sends any HTTP request. Returns null over stdio.
    std::shared_ptr<Exchange> exchange(web::ClientRequest request);
    std::shared_ptr<Exchange> exchange_raw(std::string bytes);
    /// Returns whether the exchange was made by exchange() or exchange_raw().
    bool is_raw(const Exchange& exchange) const;
    /// Waits for the end of a response, or only for its head.
    bool wait_for(const std::shared_ptr<Exchange>& exchange, bool head_only = false);
    /// Makes an HTTP request with this conversation's headers.
    web::ClientRequest http_request(std::string_view method, std::string body = {}) const;
    /// Waits until `done` returns true. Returns false on timeout, or when the server is gone.
    bool wait_until(TimePoint until, const std::function<bool()>& done);

    const std::vector<Received>& received() const { return received_; }
    const std::vector<std::unique_ptr<Sent>>& sent() const { return sent_; }
    const Sent* find(std::size_t number) const;

    /// Returns whether the process has ended or closed its stdout.
    bool gone() const { return gone_ || (process_ && process_->ended()); }
    /// Returns whether the output ended without a newline.
    bool cut_output() const { return cut_output_; }
    ProcessWire* process() { return process_ ? &*process_ : nullptr; }
    Subject& subject() { return subject_; }
    const protocol::Rules& rules() const { return rules_; }
    std::string& session() { return session_; }  ///< HTTP session id; empty: no session
    const std::string& session() const { return session_; }
    bool http() const { return subject_.http(); }
    bool stdio() const { return subject_.stdio(); }
    std::size_t serial() const { return serial_; }  ///< unique among the conversations of a check
    /// Returns the headers that repeat tool arguments, for the parameters of a call.
    std::function<web::OwnFields(const json::object& params)> mirror = {};
    /// The client capabilities to declare; none by default.
    json::object capabilities = {};

 private:
    struct Open {
        std::shared_ptr<Exchange> exchange;
        std::size_t number;      // Sent::number; 0: no message
        std::size_t events = 0;  // already read
    };

    std::size_t remember(std::string_view bytes);
    Sent& add_sent(const json::value& message, std::string_view bytes);
    void take_line(const std::string& line);
    void take_end(const std::string& rest);
    void collect();
    void take_events(Open& open);
    bool carries_message(const Exchange& exchange) const;
    void take_end(const Open& open);
    void take(std::string text, const std::shared_ptr<Exchange>& by, std::size_t number, bool in_lines = false);
    void take_message(Received received, std::size_t number);
    void answer_request(const json::object& message);
    std::size_t match(Received& received, std::size_t number) const;
    std::size_t waiting_request(const jsonrpc::Id& id, const Received& received) const;
    void keep(Received received);
    void count_unasked(const Received& received);
    void settle_stray(bool is_answer);
    bool resume(Sent& sent);
    void post_to_endpoint(Sent& sent, std::string_view bytes, const Tweak& tweak);
    bool listen();
    void take_stream();
    static bool is_refused(const Sent& sent);
    bool may_still_answer(const Sent& sent) const;
    std::string missing(const Sent& sent) const;

    Subject& subject_;
    const std::size_t serial_;
    protocol::Rules rules_;
    MessageObserver* listener_;
    std::optional<ProcessWire> process_;
    std::vector<std::unique_ptr<Sent>> sent_;
    std::unordered_map<std::string, std::vector<std::size_t>> numbers_;  // Sent::number by the text of the id
    std::vector<Received> received_;
    std::vector<Open> open_;
    std::vector<std::shared_ptr<Exchange>> raw_;
    std::shared_ptr<Exchange> stream_;  // HTTP+SSE: the stream of all messages of the server
    std::size_t stream_events_ = 0;     // already read
    std::optional<web::Url> endpoint_;  // HTTP+SSE: where messages are posted
    std::optional<Received> stray_;     // a response with an unknown id: a wrong id, or a response to no request
    std::size_t stray_for_ = 0;         // the request that it may answer
    std::string lines_;                 // lines so far of a message that seems to span several
    std::size_t unasked_ = 0, unasked_bytes_ = 0;
    std::int64_t next_id_ = 1;
    json::object introduction_;
    std::string why_, session_;
    bool introduced_ = false, gone_ = false, cut_output_ = false;
};

}  // namespace tenon::check
