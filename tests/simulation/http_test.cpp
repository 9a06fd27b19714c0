// Many clients of one endpoint, without sockets, threads or a clock. Random numbers choose which client acts next,
// which handler continues, which connection is lost, how many of its events are lost, and how much time passes.
//
// rules: HTTP-2, HTTP-3, HTTP-5, HTTP-6, HTTP-7, HTTP-8, HTTP-9, RPC-4, RPC-5, SEC-4
#include <map>

#include "property/check.hpp"
#include "simulation/simulated_server.hpp"
#include "support/http_world.hpp"

namespace tenon::test {
namespace {

using std::chrono::minutes;

/// A stream as its client sees it: all events, over any number of connections.
struct Stream {
    std::optional<std::size_t> session = {};  // empty: a stateless request
    std::string token = {};                   // empty: a listener
    json::value id = {};
    int count = 0;
    bool asks = false;

    std::vector<NotedExchange::Event> seen = {};
    Sent connection = {};
    bool connected = true;
    std::size_t taken = 0;  // number of processed events of this connection
    bool answered = false, cancelled = false, lost = false;
    std::optional<json::value> question = {};
    TimePoint since = {};
};

struct SessionModel {
    std::string id;
    bool ended = false;
    bool primes = false, can_be_asked = false;
    TimePoint used = {};
    int requests = 0;
    std::map<std::string, std::string> events = {};  // by event id: its stream and data
};

class Simulation {
 public:
    Simulation() { stage = &stage_; }
    ~Simulation() {
        world_.endpoint->shut_down("the case is over");
        world_.posted.clear();
        stage_.held.clear();
    }

    // ---- events of the simulation

    void begin_session(std::size_t a) {
        static constexpr std::string_view revisions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                                         "2025-11-25"};
        const std::string_view revision = revisions[a % std::size(revisions)];
        const bool full = world_.endpoint->sessions() >= 6;
        const Sent sent = world_.post(initialize_request(revision, {{"elicitation", json::object()}}));
        if (shut_down_) return require(sent.status() == 503, "a session started after shutdown");
        if (sent.status() == 503) return require(alive_sessions() >= 6, "a session was refused too early");
        require(sent.status() == 200, "the handshake failed");
        if (full) ++evicted_;
        SessionModel session{.id = sent.writer->field("Mcp-Session-Id"),
                             .primes = revision == "2025-11-25",
                             .can_be_asked = revision >= "2025-06-18"};
        session.used = now_;
        for (const SessionModel& other : sessions_) require(other.id != session.id, "two sessions have one id");
        require(world_.post(notification("notifications/initialized"), world_.in_session(session.id)).status() == 202,
                "initialized");
        sessions_.push_back(std::move(session));
    }
    void post(std::size_t a, std::size_t b) {
        if (sessions_.empty()) return;
        const std::size_t at = a % sessions_.size();
        SessionModel& session = sessions_[at];
        Stream stream = new_request(b);
        stream.session = at;
        stream.id = ++session.requests;
        stream.connection =
            world_.post(tool_request(stream.id, tool_of(b), arguments_of(stream)), world_.in_session(session.id));
        if (refused(session, stream.connection.status())) return;
        streams_.push_back(std::move(stream));
    }
    void post_alone(std::size_t b) {
        Stream stream = new_request(b);
        stream.id = 1;  // all stateless requests have the same id, but are independent
        json::object meta = modern_meta({{"elicitation", json::object()}});
        meta["io.modelcontextprotocol/logLevel"] = "info";
        stream.connection = world_.post_alone(tool_request(stream.id, tool_of(b), arguments_of(stream), meta));
        if (shut_down_) return require(stream.connection.status() == 503, "a request was served after shutdown");
        streams_.push_back(std::move(stream));
    }
    void listen(std::size_t a) {
        if (sessions_.empty()) return;
        const std::size_t at = a % sessions_.size();
        Stream stream;
        stream.session = at;
        stream.since = now_;
        stream.connection = world_.listen(sessions_[at].id);
        if (refused(sessions_[at], stream.connection.status())) return;
        require(stream.connection.writer->begun, "a listener without a stream");
        streams_.push_back(std::move(stream));
    }
    /// Loses the connection, and some of its events with it.
    void disconnect(std::size_t a, std::size_t b) {
        Stream* stream = pick(a, [](const Stream& s) { return s.connected && !s.lost; });
        if (!stream) return;
        look(*stream);
        if (!stream->connected && stream->answered && !stream->connection.writer->begun) return;
        stream->connection.disconnect();
        stream->connected = false;
        const std::size_t in_flight = std::min(stream->taken, stream->seen.size());
        const std::size_t missed = in_flight > 0 ? b % (in_flight + 1) : 0;
        for (std::size_t i = 0; i < missed; ++i) {
            if (is_answer(stream->seen.back())) stream->answered = false;
            stream->seen.pop_back();
        }
        if (!stream->session || !last_id(*stream)) stream->lost = !stream->answered;
    }
    void resume(std::size_t a) {
        Stream* stream = pick(a, [](const Stream& s) { return !s.connected && !s.lost && s.session && last_id(s); });
        if (stream) resume(*stream);
    }
    void cancel(std::size_t a) {
        Stream* stream = pick(a, [](const Stream& s) { return s.session && !s.token.empty() && !s.answered; });
        if (!stream) return;
        SessionModel& session = sessions_[*stream->session];
        const bool finished = stage_.finished.contains(stream->token);
        if (!finished && timed_out(*stream)) return;  // unknown whether the call has already timed out
        const bool was_cancelled = stream->cancelled;
        const Sent sent = world_.post(cancellation(stream->id), world_.in_session(session.id));
        if (refused(session, sent.status())) return;
        require(sent.status() == 202, "a notification is not accepted");
        if (finished || was_cancelled) return;
        stream->cancelled = true;
        look(*stream);
        require(!stream->connected || stream->connection.over(), "the stream of a cancelled request is still open");
    }
    void answer_question(std::size_t a) {
        Stream* stream = pick(a, [](const Stream& s) { return s.question && s.session; });
        if (!stream) return;
        SessionModel& session = sessions_[*stream->session];
        const json::object answer{{"jsonrpc", "2.0"},
                                  {"id", *std::exchange(stream->question, {})},
                                  {"result", json::object{{"action", "accept"}, {"content", json::object()}}}};
        const Sent sent = world_.post(answer, world_.in_session(session.id));
        if (!refused(session, sent.status())) require(sent.status() == 202, "an answer is not accepted");
    }
    void end_session(std::size_t a) {
        if (sessions_.empty()) return;
        SessionModel& session = sessions_[a % sessions_.size()];
        const Sent sent = world_.end(session.id);
        if (refused(session, sent.status())) return;
        require(sent.status() == 204, "a session cannot be ended");
        ended(session);
    }
    void run(std::size_t a) {
        if (!world_.posted.empty()) world_.run_one(a);
    }
    void release(std::size_t a) {
        if (stage_.held.empty()) return;
        const auto it = std::next(stage_.held.begin(), static_cast<std::ptrdiff_t>(a % stage_.held.size()));
        const std::string token = it->first;
        Reply<std::string> reply = std::move(it->second);
        stage_.held.erase(it);
        stage_.finished.insert(token);
        std::move(reply).send(token);
    }
    void broadcast() {
        simulated_server().log(LogLevel::warning, json::value("broadcast " + std::to_string(++broadcasts_)));
    }
    void advance(std::size_t a) {
        const minutes time(a % 8);
        now_ += time;
        world_.advance(time);
    }
    void shut_down() {
        world_.endpoint->shut_down("the dice say so");
        shut_down_ = true;
        for (SessionModel& session : sessions_) ended(session);
        for (Stream& stream : streams_)
            if (!stream.session && stream.connected)
                look(stream), require(stream.connection.over(), "a stream is open after shutdown");
    }

    // ---- invariants

    void look_at_all() {
        for (Stream& stream : streams_)
            if (stream.connected) look(stream);
        for (const auto& [token, times] : stage_.ran) require(times == 1, token + " ran twice");
    }
    /// Lets everything finish. Every request that can be answered must then have its answer.
    void finish() {
        while (!world_.posted.empty() || !stage_.held.empty()) run(0), release(0);
        look_at_all();
        for (int round = 0; round < 2; ++round) {
            for (Stream& stream : streams_)
                if (!stream.connected && !stream.lost && !stream.token.empty() && !stream.answered && stream.session &&
                    last_id(stream))
                    resume(stream);
            for (std::size_t i = 0; i < streams_.size(); ++i) answer_question(i);
            look_at_all();
        }
        for (const Stream& stream : streams_) {
            if (stream.token.empty() || stream.lost || stream.answered || stream.cancelled) continue;
            if (stream.session && sessions_[*stream.session].ended) continue;
            fail(stream.token + " was never answered");
        }
        world_.advance(handler_time);  // by then a question that was lost with its connection has timed out
        require(world_.endpoint->idle(), "something still runs");
    }
    void note(std::string step) { log_ += std::move(step) + "\n"; }

 private:
    static std::string_view tool_of(std::size_t b) {
        static constexpr std::string_view tools[] = {"talk", "hold", "poll", "ask"};
        return tools[b % std::size(tools)];
    }
    static json::object arguments_of(const Stream& stream) {
        return {{"token", stream.token}, {"count", stream.count}};
    }
    Stream new_request(std::size_t b) {
        Stream stream;
        stream.token = "t" + std::to_string(++tokens_);
        stream.count = static_cast<int>(b / 4 % 4);
        stream.asks = tool_of(b) == "ask";
        stream.since = now_;
        return stream;
    }
    template <class Is>
    Stream* pick(std::size_t which, Is is) {
        std::vector<Stream*> all;
        for (Stream& stream : streams_)
            if (is(stream)) all.push_back(&stream);
        return all.empty() ? nullptr : all[which % all.size()];
    }
    static std::optional<std::string> last_id(const Stream& stream) {
        if (stream.seen.empty() || stream.seen.back().id.empty()) return std::nullopt;
        return stream.seen.back().id;
    }
    std::size_t alive_sessions() const {
        return static_cast<std::size_t>(std::ranges::count(sessions_, false, &SessionModel::ended));
    }
    bool timed_out(const Stream& stream) const {
        return now_ - stream.since >= (stream.asks ? std::chrono::duration_cast<Duration>(ask_time) : handler_time);
    }
    /// Returns whether the session has ended. A session must not end without a reason.
    bool refused(SessionModel& session, int status) {
        if (shut_down_) return require(status == 503, "a request was served after shutdown"), true;
        if (status != 404) {
            require(!session.ended, "an ended session still serves requests");
            session.used = now_;
            return false;
        }
        const bool expired = session.ended || now_ - session.used >= idle_time;
        require(expired || evicted_ > 0, "a session was lost");
        if (!expired) --evicted_;  // it was evicted for a new session
        if (!session.ended) ended(session);
        return true;
    }
    void ended(SessionModel& session) {
        session.ended = true;
        for (Stream& stream : streams_) {
            if (!stream.session || &sessions_[*stream.session] != &session || !stream.connected) continue;
            look(stream);
            require(stream.connection.over(), "a stream of an ended session is still open");
            require(stream.token.empty() || stream.answered || stream.cancelled || stream.lost || !stream.connected,
                    stream.token + " was not answered at the end of its session");
        }
    }
    void resume(Stream& stream) {
        SessionModel& session = sessions_[*stream.session];
        Sent sent = world_.listen(session.id, *last_id(stream));
        if (refused(session, sent.status())) return;
        if (stream.token.empty() && sent.status() == 400) {  // an old listener may have been dropped
            stream.lost = true;
            return;
        }
        if (sent.status() == 204) {
            require(stream.answered || stream.cancelled,
                    "a client that still waits for an answer was told not to resume");
            stream.lost = !stream.answered;
            return;
        }
        require(sent.status() == 200 && sent.writer->begun, "a lost stream cannot be resumed");
        stream.connection = std::move(sent);
        stream.connected = true;
        stream.taken = 0;
        look(stream);
    }

    void look(Stream& stream) {
        NotedExchange& writer = *stream.connection.writer;
        require(writer.misuses == 0, "a writer was misused");
        if (writer.response.status != 0) return look_at_body(stream);
        for (; stream.taken < writer.events.size(); ++stream.taken) take(stream, writer.events[stream.taken]);
        if (writer.over) stream.connected = false;
        // After polling or a cancellation without a known event id, the stream cannot be resumed.
        if (writer.over && !stream.answered && !last_id(stream)) stream.lost = stream.cancelled;
    }
    void look_at_body(Stream& stream) {
        if (std::exchange(stream.connected, false)) {
            require(!stream.token.empty(), "a listener was answered by a body");
            take(stream, {"", stream.connection.writer->response.body, ""});
        }
    }
    void take(Stream& stream, const NotedExchange::Event& event) {
        if (stream.session && !event.id.empty()) {
            const std::string what = std::to_string(&stream - streams_.data()) + " " + event.data;
            const auto [it, is_new] = sessions_[*stream.session].events.emplace(event.id, what);
            require(is_new || it->second == what, "the event id " + event.id + " was used twice");
            for (const auto& before : stream.seen) require(before.id != event.id, "an event came twice");
        }
        require(!stream.session || !event.id.empty() || !stream.connection.writer->begun, "an event without an id");
        require(!stream.answered, "something came after the answer");
        stream.seen.push_back(event);
        if (event.data.empty())
            return require(stream.session && sessions_[*stream.session].primes,
                           "a priming event that the client does not support");
        const json::value message = json::parse(event.data).value();
        if (stream.token.empty()) return look_at_broadcast(stream, message);
        if (is_answer(event)) return look_at_answer(stream, message);
        const std::string_view method = message.at("method").as_string();
        if (method == "elicitation/create") {
            require(message.at("params").at("message").as_string() == stream.token, "a question of another request");
            stream.question = message.at("id");
        } else if (method == "notifications/cancelled") {
            require(stream.asks && (timed_out(stream) || stream.cancelled || sessions_[*stream.session].ended),
                    "a question was cancelled too early");
        } else {
            require(method == "notifications/message", "an unknown message");
            require_in_order(stream, false);
        }
    }
    static bool is_answer(const NotedExchange::Event& event) {
        return event.data.find("\"result\":") != std::string::npos ||
               event.data.find("\"error\":{") != std::string::npos;
    }
    // Requires that the messages of a request came in order, each exactly once.
    void require_in_order(const Stream& stream, bool all) {
        int next = 0;
        for (const auto& event : stream.seen) {
            if (event.data.find("notifications/message") == std::string::npos) continue;
            const json::value message = json::parse(event.data).value();
            require(message.at("params").at("data").as_string() == stream.token + "/" + std::to_string(next++),
                    "a message of another request, or out of order");
        }
        require(!all || next == stream.count, "a message is missing");
    }
    void look_at_answer(Stream& stream, const json::value& message) {
        stream.answered = true;
        require(message.at("id") == stream.id, "an answer with another id");
        require(!stream.cancelled, "a cancelled request was answered");
        const json::object& answer = message.as_object();
        if (answer.contains("error")) {
            require(shut_down_ || !stream.session || sessions_[*stream.session].ended, "an unexpected error");
            return;
        }
        const json::object& result = answer.at("result").as_object();
        if (result.contains("resultType") && result.at("resultType").as_string() == "input_required")
            return require(!stream.session && stream.asks, "input_required for a request that does not ask");
        if (result.contains("isError") && result.at("isError").as_bool())
            return require(timed_out(stream) || (stream.asks && !sessions_[*stream.session].can_be_asked),
                           "an error before the timeout");
        require(result.at("content").at(0).at("text").as_string() == stream.token, "the answer of another request");
        require_in_order(stream, true);
    }
    void look_at_broadcast(const Stream& stream, const json::value& message) {
        require(message.as_object().contains("method"), "an answer on the stream of a GET");
        const std::string text(message.at("params").at("data").as_string());
        require(text.starts_with("broadcast "), "a message of a request on the stream of a GET");
        for (const Stream& other : streams_) {
            if (&other == &stream || other.session != stream.session) continue;
            for (const auto& event : other.seen)
                require(event.data.find("\"" + text + "\"") == std::string::npos, "a message on two streams");
        }
    }

    void require(bool holds, const std::string& what) {
        if (!holds) fail(what);
    }
    [[noreturn]] void fail(const std::string& what) {
        RC_LOG() << log_;
        RC_FAIL(what);
        throw std::logic_error(what);
    }

    Stage stage_;
    HttpWorld world_{simulated_server()};
    TimePoint now_{};
    std::vector<SessionModel> sessions_;
    std::vector<Stream> streams_;
    int tokens_ = 0, broadcasts_ = 0;
    bool shut_down_ = false;
    int evicted_ = 0;  // evicted sessions whose clients may not know it yet
    std::string log_;
};

struct Step {
    std::size_t what, a, b;
};
std::ostream& operator<<(std::ostream& out, const Step& s) { return out << s.what << ":" << s.a << ":" << s.b; }

constexpr std::string_view step_names[] = {
    "post",       "post",   "post",   "post",      "post_alone", "post_alone", "run",        "run",    "run",
    "run",        "run",    "listen", "release",   "release",    "disconnect", "disconnect", "resume", "resume",
    "disconnect", "cancel", "answer", "broadcast", "begin",      "advance",    "end"};

void take_step(Simulation& s, const Step& step) {
    const std::string_view name = step_names[step.what];
    s.note(std::string(name) + " " + std::to_string(step.a) + " " + std::to_string(step.b));
    if (name == "post") s.post(step.a, step.b);
    if (name == "post_alone") s.post_alone(step.b);
    if (name == "run") s.run(step.a);
    if (name == "listen") s.listen(step.a);
    if (name == "release") s.release(step.a);
    if (name == "disconnect") s.disconnect(step.a, step.b);
    if (name == "resume") s.resume(step.a);
    if (name == "cancel") s.cancel(step.a);
    if (name == "answer") s.answer_question(step.a);
    if (name == "broadcast") s.broadcast();
    if (name == "begin") s.begin_session(step.a);
    if (name == "advance") s.advance(step.a);
    if (name == "end") s.end_session(step.a);
    s.look_at_all();
}

rc::Gen<std::vector<Step>> any_steps() {
    const auto number = rc::gen::inRange<std::size_t>(0, 60);
    return rc::gen::scale(2.0, rc::gen::container<std::vector<Step>>(rc::gen::construct<Step>(
                                   rc::gen::inRange<std::size_t>(0, std::size(step_names)), number, number)));
}

TEST(HttpSimulation, every_request_is_answered_once_on_its_own_stream_unless_its_connection_is_lost) {
    check_property("Streamable HTTP, simulated", usual_cases, [] {
        Simulation s;
        const std::size_t sessions = *rc::gen::inRange<std::size_t>(0, 4);
        for (std::size_t i = 0; i < sessions; ++i) s.begin_session(*rc::gen::inRange<std::size_t>(0, 5));
        for (const Step& step : *any_steps()) take_step(s, step);
        if (*rc::gen::inRange(0, 4) == 3) s.note("shut down"), s.shut_down();
        s.note("finish");
        s.finish();
    });
}

}  // namespace
}  // namespace tenon::test
