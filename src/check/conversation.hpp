// Conversation: one dialogue with the server that is checked, the same over stdio and HTTP, in one revision.
//
//     Conversation talk(subject, protocol::Rules(revision), &judge);
//     if (!talk.open()) return talk.why();                       // initialize, or server/discover
//     Answer answer = talk.ask("tools/list");                    // a good request and its answer
//     const std::size_t sent = talk.send(R"({"jsonrpc":1})");    // any bytes, as one message
//     Answer other = talk.answer(sent);                          // waits, at most Options::answer_time
//     talk.settle();                                             // now all that was to come at once has come
//     for (const Heard& heard : talk.heard()) ...                // everything that the server said
//
// Everything that comes is shown to a Listener first (the judge of the rules that hold for every message). For one
// thread; every wait is bounded by Options::answer_time and Options::time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/process_wire.hpp"
#include "check/reading.hpp"
#include "check/subject.hpp"
#include "http/client_request.hpp"
#include "jsonrpc/id.hpp"
#include "protocol/versions.hpp"

namespace tenon::check {

/// Something that was sent.
struct Asked {
    std::size_t number = 0;              ///< counts from 1
    std::string bytes = {};              ///< as they went; at most Options::max_evidence_bytes of them, and one
    std::optional<jsonrpc::Id> id = {};  ///< none: no answer can name it
    std::string method = {};             ///< empty: it has none
    json::object params = {};
    bool sound = true;                        ///< good JSON, and no part of an array: its id must have been read
    bool answerable = false;                  ///< a request, or what is no message: there may be an answer
    std::shared_ptr<Exchange> exchange = {};  ///< over HTTP
    std::size_t answers = 0;                  ///< that have come
};

/// A message, or what should have been one, of the server.
struct Heard {
    std::string text;  ///< as it came: a line, a body, the data of an event
    Reading reading = {};
    std::size_t answers = 0;                  ///< Asked::number; 0: it answers nothing
    bool in_lines = false;                    ///< of stdio: it was spread over several lines
    bool in_array = false;                    ///< one of several in an array
    std::string id_text = {};                 ///< of its `id`, as it is spelled
    std::shared_ptr<Exchange> exchange = {};  ///< that it came by, over HTTP
    std::string broken = {};                  ///< the rule that it breaks, as the listener found

    const json::object* object() const { return reading.value ? reading.value->if_object() : nullptr; }
};

/// What became of a request.
struct Answer {
    json::object message = {};  ///< whole; empty when there is none
    std::string why = {};       ///< there is none: "the server exited with status 1"
    std::string broken = {};    ///< the rule that it breaks, as the listener found
    int status = 0;             ///< of HTTP; 0 over stdio

    bool came() const { return !message.empty(); }
    bool is_result() const { return message.contains("result"); }
    bool is_error() const { return message.contains("error"); }
    const json::object& result() const;  ///< empty when there is none
    std::optional<int> code() const;     ///< of the error
    std::string error_text() const;      ///< "-32601 (no such method)"
};

class Conversation;

/// Is shown everything that comes, once, in order.
class Listener {
 public:
    virtual ~Listener() = default;
    /// Gives the rule that it breaks; empty: none. `asked` is what it answers, or null.
    virtual std::string heard(const Heard& heard, const Asked* asked, const Conversation& talk) = 0;
    /// The end of an answer over HTTP.
    virtual void ended(const Exchange& exchange, const Asked* asked, const Conversation& talk) = 0;
};

class Conversation {
 public:
    /// May change a request of HTTP before it is sent.
    using Tweak = std::function<void(web::ClientRequest&)>;

    Conversation(Subject& subject, protocol::Rules rules, Listener* listener = nullptr);
    ~Conversation();  ///< ends the process, or the session
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;

    /// Introduces itself: initialize and notifications/initialized, or server/discover. False: why() says why not.
    bool open();
    const std::string& why() const { return why_; }
    /// The result of initialize or server/discover.
    const json::object& introduction() const { return introduction_; }

    /// A good request of this revision, with an id of its own.
    json::object request(std::string_view method, json::object params = {});
    json::object notification(std::string_view method, json::object params = {}) const;
    /// What every request carries in `_meta`; empty in revisions with a handshake.
    json::object meta() const;

    /// Any bytes as one message: a line, or the body of a POST. Gives its number.
    std::size_t send(std::string_view bytes, const Tweak& tweak = {});
    std::size_t send(const json::object& message, const Tweak& tweak = {});
    /// Over stdio: a message that the server reads piece by piece, and one without its newline.
    std::size_t send_in_pieces(std::string_view bytes);
    std::size_t send_cut(std::string_view bytes);
    /// Any bytes on the stream, without a newline. Over stdio only.
    void send_raw(std::string_view bytes);
    void end_input();

    /// Waits for the answer to what was sent.
    Answer answer(std::size_t number);
    /// The same for what would be answered before what was answered since: waits no longer than a second.
    Answer answer_soon(std::size_t number);
    Answer ask(std::string_view method, json::object params = {}, const Tweak& tweak = {});
    void tell(std::string_view method, json::object params = {});

    /// Asks something harmless and waits for its answer, so that what the server says at once has come.
    /// False when there is no answer.
    bool settle();
    /// HTTP: any request. Over stdio there is none.
    std::shared_ptr<Exchange> exchange(web::ClientRequest request);
    std::shared_ptr<Exchange> exchange_raw(std::string bytes);
    /// One of these two.
    bool is_raw(const Exchange& exchange) const;
    /// Waits for its end, or only for its head.
    bool wait_for(const std::shared_ptr<Exchange>& exchange, bool head_only = false);
    /// A request of HTTP as this conversation would send it.
    web::ClientRequest http_request(std::string_view method, std::string body = {}) const;
    /// Waits until `done`; false when it is not by then, or the server is gone.
    bool wait_until(TimePoint until, const std::function<bool()>& done);

    const std::vector<Heard>& heard() const { return heard_; }
    const std::vector<std::unique_ptr<Asked>>& asked() const { return asked_; }
    const Asked* find(std::size_t number) const;

    /// The process has ended, or its output has.
    bool gone() const { return gone_; }
    /// Its output ended without a newline.
    bool cut_output() const { return cut_output_; }
    ProcessWire* process() { return process_ ? &*process_ : nullptr; }
    Subject& subject() { return subject_; }
    const protocol::Rules& rules() const { return rules_; }
    std::string& session() { return session_; }  ///< HTTP; empty: none
    const std::string& session() const { return session_; }
    bool http() const { return subject_.http(); }
    std::size_t serial() const { return serial_; }  ///< no other conversation of the check has it
    /// Headers that repeat arguments of a tool, by its call's parameters.
    std::function<web::OwnFields(const json::object& params)> mirror = {};
    /// What the client can do, as it introduces itself; nothing by default.
    json::object capabilities = {};

 private:
    struct Open {
        std::shared_ptr<Exchange> exchange;
        std::size_t number;      // Asked; 0: none
        std::size_t events = 0;  // that were taken
    };

    std::size_t remember(std::string_view bytes);
    Asked& add_asked(const json::value& message, std::string_view bytes);
    void take_line(const std::string& line);
    void take_end(const std::string& rest);
    void collect();
    void take_events(Open& open);
    void take_end(const Open& open);
    void take(std::string text, const std::shared_ptr<Exchange>& by, std::size_t number, bool in_lines = false);
    void take_message(Heard heard, std::size_t number);
    void answer_request(const json::object& message);
    std::size_t match(Heard& heard, std::size_t number) const;
    void keep(Heard heard);
    void settle_stray(bool is_answer);
    bool resume(Asked& asked);
    Answer answer_by(std::size_t number, TimePoint until);
    std::string missing(const Asked& asked) const;

    Subject& subject_;
    const std::size_t serial_;
    protocol::Rules rules_;
    Listener* listener_;
    std::optional<ProcessWire> process_;
    std::vector<std::unique_ptr<Asked>> asked_;
    std::vector<Heard> heard_;
    std::vector<Open> open_;
    std::vector<std::shared_ptr<Exchange>> raw_;
    std::optional<Heard> stray_;  // a response whose id is wrong, or that answers nothing; that is not known yet
    std::size_t stray_for_ = 0;   // what it may answer
    std::string lines_;           // of a message that seems to be spread over several
    std::int64_t next_id_ = 1;
    json::object introduction_;
    std::string why_, session_;
    bool introduced_ = false, gone_ = false, cut_output_ = false;
};

}  // namespace tenon::check
