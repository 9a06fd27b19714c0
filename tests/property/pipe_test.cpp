// The three properties against real processes over pipes, and a stream of hostile lines that a server must survive.
// rules: RPC-1, RPC-4, RPC-5, RPC-6, RPC-7, RPC-8, RPC-9, INT-1, INT-2, INT-3, INT-6, STDIO-1, STDIO-4, ANTI-1, ANTI-7,
// ANTI-9
#include "property/check.hpp"
#include "property/faulty_tools.hpp"
#include "property/model.hpp"
#include "support/child.hpp"
#include "support/folders.hpp"

namespace tenon::test {
namespace {

const std::string bin = test_folders::bin() + "/";

/// A program, and the names that it knows.
struct Subject {
    std::vector<std::string> command;
    Vocabulary words;
    std::set<std::string> more_tools = {};  // tools that generated lines do not name
};

const Subject everything{{bin + "everything"},
                         {{"echo", "add", "weather", "picture", "sound", "mixed", "fail", "count", "chat", "later",
                           "ask_user", "ask_page", "ask_model", "ask_roots", "touch"}}};

Subject faulty() {
    Subject subject{{bin + "faulty_server"}, {faulty_tool_names()}};
    for (const char* name : {"noise_printf", "noise_cout", "noise_write", "noise_inline", "echo", "work", "later"})
        subject.words.tools.emplace_back(name);
    subject.more_tools = {"sleep"};
    return subject;
}

/// A running server that lives through many cases, and the ledger of its conversation.
class Conversation {
 public:
    Conversation(const Subject& subject, std::string_view revision)
        : child_(subject.command), ledger_(world(subject), Ledger::Timing::loose) {
        line(
            R"({"jsonrpc":"2.0","id":"handshake","method":"initialize","params":{"protocolVersion":")" +
            std::string(revision) +
            R"(","capabilities":{"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{}},"clientInfo":{"name":"p","version":"1"}}})");
        settle();
        line(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }

    void line(const std::string& text) {
        if (ledger_.unclear(text)) return;
        ledger_.sent(text);
        child_.send_line(text);
    }
    void cancel(std::size_t which) {
        const auto ids = ledger_.open_ids();
        if (!ids.empty())
            line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
                 ids[which % ids.size()] + "}}");
    }
    /// Waits until every request is answered. Returns what is wrong, or an empty string. The server answers the ping at
    /// the end after it has read all earlier lines, so from then on no cancelled request may be answered.
    std::string settle() {
        line(R"({"jsonrpc":"2.0","id":"all seen )" + std::to_string(settled_++) + R"(","method":"ping"})");
        std::string wrong;
        child_.pump([&] {
            return !(wrong = look()).empty() || child_.output_ended() || (ledger_.settled() && child_.sent_all());
        });
        if (wrong.empty() && !ledger_.settled()) wrong = "no answer for: " + ledger_.owed();
        if (wrong.empty()) ledger_.rest();
        return wrong;
    }
    /// Closes the input. Returns what is wrong with the exit, or an empty string.
    std::string end() {
        std::string wrong = settle();
        const auto status = child_.finish();
        if (wrong.empty()) wrong = look();
        if (wrong.empty() && status != 0)
            wrong = "exit status " + (status ? std::to_string(*status) : "none") + ": " + child_.errors();
        if (wrong.empty() && !child_.partial().empty()) wrong = "the output does not end with a newline";
        return wrong;
    }
    const Ledger& ledger() const { return ledger_; }
    Child& child() { return child_; }

 private:
    static World world(const Subject& subject) {
        World out{.tools = subject.more_tools};
        out.tools.insert(subject.words.tools.begin(), subject.words.tools.end());
        return out;
    }
    std::string look() {
        for (; !child_.lines().empty(); child_.lines().pop_front())
            if (auto wrong = ledger_.received(child_.lines().front()); !wrong.empty())
                return wrong + ": " + child_.lines().front();
        for (const std::string& ask : std::exchange(ledger_.asks(), {})) answer(ask);
        return {};
    }
    void answer(const std::string& ask) {
        static constexpr std::string_view answers[] = {
            R"("result":{"action":"accept","content":{"name":"n"}})",
            R"("result":{"action":"decline"})",
            R"("result":{"roots":[]})",
            R"("error":{"code":1,"message":"no"})",
            R"("result":7)",
            R"("result":{"role":"assistant","model":"m","content":{"type":"text","text":"t"}})"};
        child_.send_line(R"({"jsonrpc":"2.0","id":)" + ask + "," + std::string(answers[asked_++ % std::size(answers)]) +
                         "}");
    }

    Child child_;
    Ledger ledger_;
    std::size_t asked_ = 0, settled_ = 0;
};

const std::vector<std::string> revisions = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

/// One process per revision, kept between cases. A process per case would mostly test starting. A server that failed a
/// case is replaced, so shrinking starts with a new one.
class Servers {
 public:
    explicit Servers(Subject subject) : subject_(std::move(subject)) {}

    Conversation& of(const std::string& revision) {
        auto& kept = running_[revision];
        if (!kept) kept = std::make_unique<Conversation>(subject_, revision);
        return *kept;
    }
    void judge(const std::string& revision, const std::string& wrong) {
        if (wrong.empty()) return;
        const std::string errors = running_[revision]->child().errors();
        running_.erase(revision);
        RC_LOG() << "its stderr ends: " << errors.substr(errors.size() - std::min<std::size_t>(errors.size(), 2000));
        RC_FAIL(wrong);
    }
    void end() {
        for (auto& [revision, conversation] : running_) {
            EXPECT_EQ(conversation->end(), "") << revision;
            std::cerr << revision << ": " << conversation->ledger().requests() << " answers were expected, "
                      << conversation->ledger().answers() << " arrived\n";
        }
    }
    const Vocabulary& words() const { return subject_.words; }

 private:
    Subject subject_;
    std::map<std::string, std::unique_ptr<Conversation>> running_;
};

rc::Gen<std::vector<std::string>> conversation(const Vocabulary& words) {
    return rc::gen::resize(30, rc::gen::container<std::vector<std::string>>(lines_of(words)));
}

class PipeProperty : public testing::TestWithParam<bool> {
 protected:
    static constexpr int cases = usual_cases;
    Servers servers{GetParam() ? faulty() : everything};
    const std::string name = GetParam() ? ", faulty server" : ", everything";
};
INSTANTIATE_TEST_SUITE_P(Pipes, PipeProperty, testing::Bool(),
                         [](const auto& which) { return which.param ? "faulty" : "everything"; });

TEST_P(PipeProperty, every_message_conforms) {
    check_property("protocol conformance" + name, cases, [this] {
        const std::string revision = *rc::gen::elementOf(revisions);
        Conversation& c = servers.of(revision);
        for (const auto& line : *conversation(servers.words()))
            if (!beyond_judgement(line)) c.line(line);
        servers.judge(revision, c.settle());
    });
    servers.end();
}

TEST_P(PipeProperty, every_request_gets_exactly_one_response) {
    check_property("request-response guarantee" + name, cases, [this] {
        const std::string revision = *rc::gen::elementOf(revisions);
        Conversation& c = servers.of(revision);
        for (const auto& line : *conversation(servers.words())) {
            if (beyond_judgement(line)) continue;
            c.line(line);
            if (*rc::gen::inRange(0, 8) == 7) c.cancel(line.size());
        }
        // A handler that ends only when it is cancelled.
        c.line(R"({"jsonrpc":"2.0","id":"asleep","method":"tools/call","params":{"name":"sleep"}})");
        c.line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"asleep"}})");
        servers.judge(revision, c.settle());
    });
    servers.end();
}

// Many concurrent requests, in pieces of any size, with handlers that print. The output must consist of complete
// messages, and each text must come back unchanged.
TEST_P(PipeProperty, concurrent_answers_are_complete_for_any_chunking) {
    check_property("message integrity" + name, cases, [this] {
        const std::string revision = *rc::gen::elementOf(revisions);
        Conversation& c = servers.of(revision);
        Dice dice(*rc::gen::arbitrary<std::uint64_t>());
        static constexpr std::string_view tools[] = {"echo",        "work",  "later", "noise_printf",
                                                     "noise_write", "bytes", "echo"};
        const auto messages =
            *rc::gen::resize(20, rc::gen::container<std::vector<std::string>>(rc::gen::arbitrary<std::string>()));
        for (std::size_t i = 0; i < messages.size(); ++i) {
            std::string text = "\"";
            for (const char ch : messages[i]) {
                if (ch == '"' || ch == '\\') text += '\\';
                if (static_cast<unsigned char>(ch) >= 0x20 && static_cast<unsigned char>(ch) < 0x80) text += ch;
            }
            text.append(dice.one_in(20) ? dice.below(100'000) : 0, 'y');
            c.line(R"({"jsonrpc":"2.0","id":)" + std::to_string(i) + R"(,"method":"tools/call","params":{"name":")" +
                   std::string(dice.pick(tools)) + R"(","arguments":{"message":)" + text + "\"}}}" +
                   (dice.one_in(4) ? "\r" : ""));
            if (dice.one_in(4)) c.child().flush();
        }
        servers.judge(revision, c.settle());
    });
    servers.end();
}

// Ten thousand hostile lines at once. One in a hundred is very deep, and one in a thousand is long.
TEST(HostileLines, a_server_survives_ten_thousand_hostile_lines) {
    const std::uint64_t seed = rc::detail::configuration().testParams.seed;
    std::cerr << "hostile lines: 10000, seed " << seed << std::endl;
    Dice dice(seed);
    Conversation c(everything, "2025-11-25");
    const std::string nested_100000 =
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":)" +
        std::string(100'000, '[');
    std::string wrong;
    for (int i = 0; i < 10'000 && wrong.empty(); ++i) {
        std::string line = any_line(dice, everything.words);
        if (dice.one_in(100)) line = dice.one_in(2) ? nested_100000 : nested_100000 + std::string(100'000, ']') + "}}";
        if (dice.one_in(1000)) line.insert(line.size() / 2, std::string(300'000, static_cast<char>('a' + i % 26)));
        if (beyond_judgement(line)) continue;
        c.line(line);
        if (i % 500 == 499) wrong = c.settle();
    }
    if (wrong.empty()) wrong = c.end();
    EXPECT_EQ(wrong, "") << "seed " << seed << " (RC_PARAMS=seed=" << seed
                         << "): " << c.child().errors().substr(0, 4000);
    std::cerr << c.ledger().requests() << " answers were expected, " << c.ledger().answers() << " arrived\n";
}

}  // namespace
}  // namespace tenon::test
