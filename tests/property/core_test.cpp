// The three properties of the pure core: generated conversations with a server whose handlers misbehave. The test
// decides the order of the work, the time, and when the input ends.
// rules: RPC-1, RPC-2, RPC-3, RPC-4, RPC-5, RPC-6, RPC-7, RPC-8, RPC-9, RPC-10, RPC-11, RPC-12, RPC-14
// rules: INT-1, INT-2, INT-5, INT-6, LIFE-6, LIFE-13, LIFE-16, LIFE-17, ANTI-2, ANTI-7, ANTI-9
#include <tenon/audit.hpp>

#include "property/audited_request.hpp"
#include "property/check.hpp"
#include "property/faulty_tools.hpp"
#include "property/model.hpp"

namespace tenon::test {
namespace {

using std::chrono::seconds;
using Work = std::function<void()>;

constexpr int cases = usual_cases;
const std::vector<std::string> revisions = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2099-01-01"};

Limits tight_limits() {
    Limits limits;
    limits.max_message_bytes = 8000;
    limits.max_depth = 32;
    limits.max_batch = 8;
    limits.handler_time = seconds(60);
    limits.ask_time = seconds(20);
    return limits;
}

World world_of(const Limits& limits) {
    const auto names = faulty_tool_names();
    return {.tools = {names.begin(), names.end()},
            .max_message_bytes = limits.max_message_bytes,
            .max_depth = limits.max_depth,
            .max_batch = limits.max_batch};
}

// The state of the running case. One server serves all cases; the running case decides when "later" is.
struct Stage {
    std::vector<Work> posted, later;
    bool at_once = false;
    std::size_t records = 0;  // of the audit
    TimePoint now = TimePoint() + seconds(1000);
};
Stage* stage = nullptr;

/// A server whose handlers misbehave. Its messages of an audited call have random span ids.
class FaultyServer {
 public:
    explicit FaultyServer(std::shared_ptr<AuditLog> audit)
        : server_("faulty", "1.0.0",
                  {.limits = tight_limits(), .neutralise_control_characters = false, .audit = std::move(audit)}) {
        add_faulty_tools(server_, [](Work work) {
            if (stage->at_once) return work();
            stage->later.push_back(std::move(work));
        });
    }
    Server& get() { return server_; }

 private:
    Server server_;
};

Server& audited_server() {
    static FaultyServer server(std::make_shared<AuditLog>(
        AuditOptions{.callback = [](auto line) { stage->records += is_of_received_request(line); }}));
    return server.get();
}

Server& plain_server() {
    static FaultyServer server(nullptr);
    return server.get();
}

std::vector<std::string> split(std::string_view output) {
    std::vector<std::string> lines;
    for (std::size_t newline; (newline = output.find('\n')) != output.npos; output.remove_prefix(newline + 1))
        lines.emplace_back(output.substr(0, newline));
    if (!output.empty()) lines.push_back("(no newline at the end of: " + std::string(output) + ")");
    return lines;
}

std::string initialize(std::string_view revision, bool capable) {
    return R"({"jsonrpc":"2.0","id":"handshake","method":"initialize","params":{"protocolVersion":")" +
           std::string(revision) + R"(","capabilities":)" +
           (capable ? R"({"elicitation":{},"roots":{},"sampling":{}})" : "{}") +
           R"(,"clientInfo":{"name":"p","version":"1"}}})";
}

/// A session and the ledger of its messages.
class Conversation {
 public:
    explicit Conversation(bool at_once) : ledger_(world_of(tight_limits()), Ledger::Timing::exact) {
        stage = &stage_;
        stage_.at_once = at_once;
        SessionOptions options{.clock = [this] { return stage_.now; }};
        if (!at_once) options.post = [this](Work work) { stage_.posted.push_back(std::move(work)); };
        session_.emplace(audited_server(), options);
    }
    // Dropped work may still send an answer, so the stage must outlive the session.
    ~Conversation() {
        session_.reset();
        stage_.posted.clear();
        stage_.later.clear();
    }

    void shake_hands(std::string_view revision, bool capable) {
        line(initialize(revision, capable));
        line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }
    void line(const std::string& text) {
        if (input_ended_ || beyond_judgement(text)) return;
        ledger_.sent(text);
        log_ += "> " + text + "\n";
        session_->feed(text + "\n");
        look();
    }
    void run_posted(std::size_t which) { run(stage_.posted, which); }
    void run_later(std::size_t which) { run(stage_.later, which); }
    void advance(seconds time) {
        stage_.now += time;
        ledger_.time_went_by();
        session_->tick();
        look();
    }
    void cancel(std::size_t which) {
        const auto ids = ledger_.open_ids();
        if (!ids.empty())
            line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                 ids[which % ids.size()] + "}}");
    }
    void answer_ask(std::size_t which) {
        static constexpr std::string_view answers[] = {R"("result":{"action":"accept","content":{"name":"n"}})",
                                                       R"("result":{"action":"accept","content":{"name":1}})",
                                                       R"("result":{"action":"decline"})",
                                                       R"("result":[])",
                                                       R"("error":{"code":1,"message":"no"})",
                                                       R"("error":7)",
                                                       R"("result":{},"error":{"code":1,"message":"both"})"};
        auto& asks = ledger_.asks();
        if (asks.empty()) return;
        const auto at = asks.begin() + static_cast<std::ptrdiff_t>(which % asks.size());
        line(R"({"jsonrpc":"2.0","id":)" + *at + "," + std::string(answers[which % std::size(answers)]) + "}");
        asks.erase(at);
    }
    void end_input() {
        if (std::exchange(input_ended_, true)) return;
        session_->feed(R"({"jsonrpc":"2.0","id":"cut","method":"ping"})");  // without a newline: must not be executed
        session_->end_of_input();
        look();
    }
    void shut_down() {
        ledger_.shut_down();
        session_->shut_down("the test says so");
        look();
    }
    /// Lets all work finish, and checks that every request was answered.
    void finish() {
        end_input();
        while (!stage_.posted.empty() || !stage_.later.empty()) {
            run_posted(0);
            run_later(0);
        }
        if (!ledger_.settled()) fail("no answer for: " + ledger_.owed(), "");
        if (!session_->idle()) fail("the session is not idle", "");
        shut_down();
        audited_server().log(LogLevel::emergency, "to nobody");
        look();
        if (session_->queued_output() > 0) fail("output after the end", "");
        // rules: SEC-6
        if (stage_.records != ledger_.requests())
            fail(std::to_string(stage_.records) + " audit records for " + std::to_string(ledger_.requests()) +
                     " requests",
                 "");
    }
    Session& session() { return *session_; }

 private:
    void run(std::vector<Work>& works, std::size_t which) {
        if (works.empty()) return;
        const auto at = works.begin() + static_cast<std::ptrdiff_t>(which % works.size());
        const Work work = std::move(*at);
        works.erase(at);
        work();
        look();
    }
    void look() {
        for (const std::string& out : split(session_->take_output())) {
            log_ += "< " + out + "\n";
            if (const std::string wrong = ledger_.received(out); !wrong.empty()) fail(wrong, out);
        }
    }
    void fail(const std::string& why, const std::string& line) {
        RC_LOG() << log_;
        RC_FAIL(why + ": " + line);
    }

    Stage stage_;
    Ledger ledger_;
    std::optional<Session> session_;
    bool input_ended_ = false;
    std::string log_;
};

struct Step {
    enum class Do { line, run_posted, run_later, advance, cancel, answer_ask, end_input, shut_down } what;
    std::size_t number;
    std::string line;

    void take(Conversation& c) const {
        switch (what) {
            case Do::line: return c.line(line);
            case Do::run_posted: return c.run_posted(number);
            case Do::run_later: return c.run_later(number);
            case Do::advance: return c.advance(seconds(number % 25));
            case Do::cancel: return c.cancel(number);
            case Do::answer_ask: return c.answer_ask(number);
            case Do::end_input: return c.end_input();
            case Do::shut_down: return c.shut_down();
        }
    }
};

void showValue(const Step& s, std::ostream& out) {
    out << "step " << static_cast<int>(s.what) << " " << s.number << " " << s.line;
}

rc::Seq<Step> simpler(const Step& s) {
    return rc::seq::map(rc::shrink::removeChunks(s.line), [s](std::string line) {
        return Step{s.what, s.number, std::move(line)};
    });
}

rc::Gen<Step> steps(Vocabulary words) {
    return [words](const rc::Random& random, int) {
        using enum Step::Do;
        static constexpr Step::Do often[] = {run_posted, run_posted, run_later, advance, cancel, answer_ask};
        Dice dice(rc::Random(random).next());
        Step s{line, dice.below(1000), {}};
        if (dice.one_in(3)) {
            s.what = dice.one_in(40) ? (dice.one_in(2) ? end_input : shut_down) : dice.pick(often);
        } else {
            s.line = dice.one_in(4) ? any_line(dice, words) : request(dice, words);
        }
        return rc::shrinkable::shrinkRecur(s, &simpler);
    };
}

const Vocabulary words{faulty_tool_names()};

TEST(CoreProperty, every_message_conforms) {
    check_property("protocol conformance, core", cases, [] {
        Conversation c(true);
        if (*rc::gen::inRange(0, 8) != 0) c.shake_hands(*rc::gen::elementOf(revisions), *rc::gen::arbitrary<bool>());
        for (const auto& line : *rc::gen::container<std::vector<std::string>>(lines_of(words))) c.line(line);
        c.finish();
    });
}

TEST(CoreProperty, every_request_gets_exactly_one_response) {
    check_property("request-response guarantee, core", cases, [] {
        Conversation c(false);
        if (*rc::gen::inRange(0, 16) != 0) c.shake_hands(*rc::gen::elementOf(revisions), *rc::gen::inRange(0, 4) != 0);
        for (const Step& step : *rc::gen::container<std::vector<Step>>(steps(words))) step.take(c);
        c.finish();
    });
}

std::string output_of(const std::vector<std::string>& chunks) {
    Stage here;
    here.at_once = true;
    stage = &here;
    Session session(plain_server(), {.clock = [&here] { return here.now; }});
    std::string out;
    for (const std::string& chunk : chunks) {
        session.feed(chunk);
        out += session.take_output();
    }
    session.end_of_input();
    return out + session.take_output();
}

TEST(CoreProperty, any_chunking_gives_the_same_complete_messages) {
    check_property("message integrity, core", cases, [] {
        Ledger ledger(world_of(tight_limits()), Ledger::Timing::loose);
        const std::string revision = *rc::gen::elementOf(revisions);
        ledger.world().revision = revision == "2099-01-01" ? "2025-11-25" : revision;
        std::string input = initialize(revision, false) + "\n";
        for (const auto& line : *rc::gen::container<std::vector<std::string>>(lines_of(words))) {
            if (beyond_judgement(line)) continue;
            ledger.sent(line);
            static const std::vector<std::string> ends = {"\n", "\r\n", "\n\n", "\n \t\r\n"};
            input += line + *rc::gen::elementOf(ends);
        }
        input += R"({"jsonrpc":"2.0","id":"cut","method":"ping"})";
        Dice dice(*rc::gen::arbitrary<std::uint64_t>());

        const std::string whole = output_of({input});
        const std::string cut = output_of(pieces(dice, input));
        RC_ASSERT(whole == cut);
        const auto lines = split(whole);
        RC_ASSERT(lines.size() > 0U);
        for (const std::string& line : lines) {
            if (line.find("\"handshake\"") != line.npos) continue;
            const std::string wrong = ledger.received(line);
            if (!wrong.empty()) RC_FAIL(wrong + ": " + line);
        }
        RC_ASSERT(ledger.owed() == "");
    });
}

// ---- shrunk counterexamples that the properties have found

void replay(const std::vector<Step>& conversation, std::string_view revision = "2025-11-25") {
    try {
        Conversation c(false);
        c.shake_hands(revision, true);
        for (const Step& step : conversation) step.take(c);
        c.finish();
    } catch (const rc::detail::CaseResult& failure) {
        ADD_FAILURE() << failure.description;
    }
}

Step feed(std::string line) { return {Step::Do::line, 0, std::move(line)}; }
Step wait(std::size_t time) { return {Step::Do::advance, time, {}}; }

std::string tool_call(const std::string& id, const std::string& tool, const std::string& more = "") {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool +
           R"(","arguments":{"message":"m"})" + more + "}}";
}

TEST(CoreCounterexample, a_call_that_times_out_is_not_used_after_it_was_freed) {
    replay({feed(tool_call("1", "later")), wait(24), wait(24), wait(24)});
}

// rules: RPC-4, RPC-10
TEST(CoreCounterexample, ids_that_round_to_the_same_double_are_different) {
    replay({feed(tool_call("9223372036854775808", "later")), feed(tool_call("9223372036854775807", "later")),
            feed(tool_call("123456789012345678901234567890", "later")),
            feed(tool_call("123456789012345678901234567891", "later")), feed(tool_call("1e400", "later")),
            feed(tool_call("1e401", "later"))});
    replay({feed(tool_call("1", "later")), feed(tool_call("1.0", "later")),
            feed(tool_call("10e-1", "later"))});  // these three ids are equal
}

// rules: LIFE-17
TEST(CoreCounterexample, a_progress_token_beyond_double_range_is_not_returned_as_null) {
    replay({feed(tool_call("1", "progress", R"(,"_meta":{"progressToken":1e400})"))});
}

}  // namespace
}  // namespace tenon::test
