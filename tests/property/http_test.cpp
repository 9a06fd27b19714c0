// The three properties over HTTP, against a real server in this process. The same oracle judges lines and POSTs. HTTP
// shows which answer belongs to which request, so each POST has its own ledger.
// rules: HTTP-2, HTTP-3, HTTP-5, RPC-1, RPC-4, RPC-5, RPC-6, RPC-7, RPC-8, RPC-9, INT-1, INT-2, INT-6, SEC-3
#include <atomic>

#include <tenon/audit.hpp>
#include <tenon/transport/http_server.hpp>

#include "io/worker_pool.hpp"
#include "property/audited_request.hpp"
#include "property/check.hpp"
#include "property/faulty_tools.hpp"
#include "property/model.hpp"
#include "support/http_client.hpp"

namespace tenon::test {
namespace {

const std::vector<std::string> revisions = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
const Vocabulary words{faulty_tool_names()};

World world_of(const std::string& revision) {
    const auto names = faulty_tool_names();
    return {.tools = {names.begin(), names.end()}, .revision = revision};
}

/// Returns the messages of a response: its body, or the events of its stream.
std::vector<std::string> messages_of(const HttpReply& reply) {
    std::vector<std::string> out;
    if (!reply.is_stream()) {
        if (!reply.body.empty()) out.push_back(reply.body);
        return out;
    }
    framing::SseReader reader(64 * 1024 * 1024);
    reader.feed(reply.body, [&](const auto& event) {
        if (!event.data.empty()) out.push_back(event.data);
    });
    return out;
}

/// Returns what is wrong with the response to a POST in a session, or an empty string.
std::string wrong_with_reply(const HttpReply& reply, const std::string& line, const std::string& revision) {
    const auto messages = messages_of(reply);
    const Judged judged = judge_line(line, world_of(revision));
    if (reply.status == 202) {
        if (!judged.expected.empty()) return "accepted without an answer";
        return messages.empty() ? "" : "202 with a body";
    }
    if (reply.status != 200 && reply.status != 400) return "status " + std::to_string(reply.status);
    // A request that is refused before its session is known gets no id, in any revision.
    World world = world_of(revision);
    if (reply.status == 400 && reply.body.find("\"id\"") == std::string::npos) world.revision = "2025-11-25";
    Ledger ledger(world, Ledger::Timing::loose);
    ledger.sent(line);
    if (judged.expected.empty()) {  // an invalid response or an empty body: over a pipe there would be no answer
        if (reply.status != 400 || messages.size() != 1) return "an unexpected answer";
        const auto parsed = JsonReader::read(messages.front(), 4096);
        return parsed ? wrong_with(*parsed, world) : "it is not strict JSON";
    }
    for (const std::string& message : messages)
        if (auto wrong = ledger.received(message); !wrong.empty()) return wrong + ": " + message;
    return ledger.settled() ? "" : "no answer for: " + ledger.owed();
}

/// The server, and one connection with a session for each revision. They are kept between cases.
class HttpProperty : public testing::Test {
 protected:
    HttpProperty() {
        add_faulty_tools(server_, [this](std::function<void()> work) { elsewhere_.post(std::move(work)); });
        http_.emplace(server_, HttpOptions{.port = 0});
    }
    // The answer may come before its record, so the records are counted when the server has ended.
    ~HttpProperty() override {
        clients_.clear();
        http_.reset();
        elsewhere_.stop(http_patience);
        EXPECT_EQ(records_.load(), requests_) << "audit records, and requests";  // rules: SEC-6
    }

    /// Counts the requests in a POST: each gets one audit record. A refused POST, or batch, is one.
    void count(const HttpReply& reply, const std::string& line, const std::string& revision) {
        if (reply.status == 202) return;
        const std::size_t expected = judge_line(line, world_of(revision)).expected.size();
        requests_ += reply.status == 400 ? 1 : expected;
    }

    struct Client {
        HttpClient connection;
        std::string fields;
    };
    Client& client(const std::string& key, const std::string& revision) {
        auto it = clients_.find(key);
        if (it != clients_.end()) return it->second;
        HttpClient connection(http_->port());
        connection.send(post_bytes(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
                                   revision + R"(","capabilities":{},"clientInfo":{"name":"p","version":"1"}}})"));
        ++requests_;
        const std::string fields = "Mcp-Session-Id: " + connection.reply().field("mcp-session-id") + "\r\n";
        connection.send(post_bytes(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", fields));
        connection.reply();
        return clients_.emplace(key, Client{std::move(connection), fields}).first->second;
    }
    /// Reports a failure. Drops the connections first, so shrinking starts with new ones.
    void judge(const std::string& wrong, const HttpReply& reply) {
        if (wrong.empty()) return;
        clients_.clear();
        RC_LOG() << "status " << reply.status << ", body: " << reply.body.substr(0, 2000);
        RC_FAIL(wrong);
    }

    io::WorkerPool elsewhere_{4};
    std::atomic<std::size_t> records_{0};
    std::size_t requests_ = 0;
    Server server_{"faulty",
                   "1.0.0",
                   {.neutralise_control_characters = false,  // texts are compared byte by byte
                    .audit = std::make_shared<AuditLog>(
                        AuditOptions{.callback = [this](auto line) { records_ += is_of_received_request(line); }})}};
    std::optional<HttpServer> http_;
    std::map<std::string, Client> clients_;
};

rc::Gen<std::vector<std::string>> conversation() {
    return rc::gen::resize(12, rc::gen::container<std::vector<std::string>>(lines_of(words)));
}

TEST_F(HttpProperty, every_post_in_a_session_gets_the_expected_answer) {
    check_property("conformance and exactly one answer, HTTP session", usual_cases, [this] {
        const std::string revision = *rc::gen::elementOf(revisions);
        for (const std::string& line : *conversation()) {
            if (beyond_judgement(line)) continue;
            Client& c = client(revision, revision);
            c.connection.send(post_bytes(line, c.fields));
            const HttpReply reply = c.connection.reply();
            count(reply, line, revision);
            judge(wrong_with_reply(reply, line, revision), reply);
        }
    });
}

const std::string modern_fields = "MCP-Protocol-Version: 2026-07-28\r\n";

// For any body the answer is one JSON-RPC message with an HTTP status, or 202.
TEST_F(HttpProperty, every_malformed_stateless_post_gets_one_complete_answer) {
    check_property("conformance, HTTP without a session", usual_cases, [this] {
        for (const std::string& line : *conversation()) {
            if (beyond_judgement(line)) continue;
            Client& c = client("alone", "2025-11-25");
            c.connection.send(post_bytes(line, modern_fields + "Mcp-Method: tools/call\r\nMcp-Name: echo\r\n"));
            const HttpReply reply = c.connection.reply();
            if (reply.status != 202) ++requests_;
            const auto messages = messages_of(reply);
            if (reply.status == 202) {
                judge(messages.empty() ? "" : "202 with a body", reply);
                continue;
            }
            judge(reply.status == 400 ? "" : "a malformed body was accepted", reply);
            judge(messages.size() == 1 ? "" : "not exactly one message", reply);
            const auto parsed = JsonReader::read(messages.front(), 4096);
            judge(parsed ? wrong_with(*parsed, world_of("2025-11-25")) : "not strict JSON", reply);
        }
    });
}

TEST_F(HttpProperty, stateless_calls_are_answered_completely_with_their_id) {
    check_property("exactly one answer, HTTP without a session", usual_cases, [this] {
        Dice dice(*rc::gen::arbitrary<std::uint64_t>());
        for (std::size_t n = dice.below(12); n > 0; --n) {
            const std::string id_text = id(dice), message = text_of(dice), tool = dice.pick(words.tools);
            const auto id_value = JsonReader::read(id_text, 4);
            if (!readable_id(&*id_value)) continue;  // too long to be repeated
            const std::string body = R"({"jsonrpc":"2.0","id":)" + id_text +
                                     R"(,"method":"tools/call","params":{"name":")" + tool +
                                     R"(","arguments":{"message":)" + message +
                                     R"(},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
                                     R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
            if (beyond_judgement(body)) continue;
            Client& c = client("alone", "2025-11-25");
            c.connection.send(post_bytes(body, modern_fields + "Mcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n"));
            const HttpReply reply = c.connection.reply();
            ++requests_;
            const auto messages = messages_of(reply);
            judge(!messages.empty() ? "" : "no answer", reply);
            const auto parsed = JsonReader::read(messages.back(), 4096);
            judge(parsed ? wrong_with(*parsed, world_of("2025-11-25")) : "not strict JSON", reply);
            const Json* answered = parsed->find("id");
            judge(answered && id_key(*answered) == id_key(*id_value) ? "" : "the id is wrong", reply);
            if (tool != "echo" && tool != "work") continue;
            const Json* result = parsed->find("result");
            judge(result ? "" : "no result", reply);
            const Json* content = result->find("content");
            judge(content && !content->items.empty() ? "" : "no content", reply);
            const Json* text = content->items.front().find("text");
            judge(text && text->is_string(JsonReader::read(message, 4)->text) ? "" : "the text is wrong", reply);
        }
    });
}

// Many concurrent requests over several connections, in pieces of any size. Each text must come back on its own
// connection, in order.
TEST_F(HttpProperty, concurrent_answers_are_complete_for_any_chunking) {
    check_property("message integrity, HTTP", usual_cases, [this] {
        Dice dice(*rc::gen::arbitrary<std::uint64_t>());
        static constexpr std::string_view tools[] = {"echo", "work", "echo", "work"};
        constexpr std::size_t connections = 4;
        std::array<std::vector<std::string>, connections> texts;
        std::array<std::string, connections> bytes;
        for (std::size_t n = *rc::gen::inRange<std::size_t>(0, 24); n > 0; --n) {
            const std::size_t at = dice.below(connections);
            const std::string text =
                std::to_string(dice.next()) + std::string(dice.one_in(8) ? dice.below(5000) : 0, 'y');
            Client& c = client("connection " + std::to_string(at), revisions[at]);
            bytes[at] +=
                post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
                               std::string(dice.pick(tools)) + R"(","arguments":{"message":")" + text + "\"}}}",
                           c.fields);
            texts[at].push_back(text);
        }
        std::array<std::vector<std::string>, connections> parts;
        for (std::size_t at = 0; at < connections; ++at) parts[at] = pieces(dice, bytes[at]);
        for (std::size_t i = 0, sent = 1; sent > 0; ++i) {
            sent = 0;
            for (std::size_t at = 0; at < connections; ++at)
                if (i < parts[at].size())
                    sent += client("connection " + std::to_string(at), "").connection.send(parts[at][i]);
        }
        for (std::size_t at = 0; at < connections; ++at) {
            for (const std::string& text : texts[at]) {
                const HttpReply reply = client("connection " + std::to_string(at), "").connection.reply();
                ++requests_;
                judge(reply.status == 200 && reply.body.find("\"text\":\"" + text + "\"") != reply.body.npos
                          ? ""
                          : "not the text that was sent: " + text,
                      reply);
            }
        }
    });
}

}  // namespace
}  // namespace tenon::test
