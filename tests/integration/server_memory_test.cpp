// A server process with a small memory budget. One client does everything that costs memory, and the process must stay
// within the budget. The calls of another client must all succeed.
#include <gtest/gtest.h>

#include <fstream>
#include <list>

#include "support/child.hpp"
#include "support/folders.hpp"
#include "support/http_client.hpp"

namespace tenon::test {
namespace {

constexpr std::size_t mebibyte = 1024 * 1024, budget = 64 * mebibyte;
/// The budget does not cover the results of handlers before they are encoded, the buffers of the kernel's interface,
/// and the fragments of the allocator.
constexpr std::size_t reserve = 64 * mebibyte;

std::string message(const std::string& method, const std::string& params, const std::string& id = "1") {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" + params + "}}";
}
std::string call(const std::string& tool, const std::string& arguments, const std::string& id = "1") {
    return message("tools/call", R"("name":")" + tool + R"(","arguments":)" + arguments, id);
}
std::string initialize(const std::string& revision, const std::string& name) {
    return message("initialize", R"("protocolVersion":")" + revision + R"(","capabilities":{},"clientInfo":{"name":")" +
                                     name + R"(","version":"1"})");
}
std::string in_session(const std::string& id) { return "Mcp-Session-Id: " + id + "\r\n"; }

/// The process, and the attacks on it. Each attack is bounded by a count. At most three peers attack: each has a
/// quarter of the budget, so a quarter is left for the innocent client.
class SmallServer : public testing::Test {
 protected:
    SmallServer() : child_({test_folders::bin() + "/faulty_server", "http", "drain_ms=400", "workers=8", "budget_mib=64"}) {
        const std::string url = "http://127.0.0.1:";
        EXPECT_TRUE(child_.pump([&] { return child_.errors().find("/mcp") != std::string::npos; })) << child_.errors();
        const std::size_t at = child_.errors().find(url);
        if (at != std::string::npos)
            port_ = static_cast<std::uint16_t>(std::strtoul(child_.errors().c_str() + at + url.size(), nullptr, 10));
        expect_innocent_is_served();
        idle_ = peak();
    }
    ~SmallServer() override {
        attackers_.clear();
        child_.signal(SIGTERM);
        EXPECT_EQ(child_.exit_status(), 0) << child_.errors();
    }

    std::size_t peak() const {
        std::ifstream status("/proc/" + std::to_string(child_.pid()) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("VmHWM:")) return std::strtoul(line.c_str() + 6, nullptr, 10) * 1024;
        return 0;
    }
    void expect_innocent_is_served() {
        for (int i = 0; i < 5; ++i) {
            HttpClient innocent(port_);
            innocent.send(post_bytes(initialize("2025-11-25", "innocent")));
            const std::string session = innocent.reply().field("mcp-session-id");
            innocent.send(post_bytes(call("echo", R"({"message":"hello"})"), in_session(session)));
            const HttpReply reply = innocent.reply();
            EXPECT_EQ(reply.status, 200) << reply.body;
            EXPECT_NE(reply.message().find("hello"), std::string::npos) << reply.body;
        }
    }
    void expect_within_budget() {
        expect_innocent_is_served();
        ASSERT_GT(peak(), 0U);
        EXPECT_LE((peak() - idle_) / mebibyte, (budget + reserve) / mebibyte) << "MiB more than without an attack";
    }
    HttpClient& attacker() { return attackers_.emplace_back(port_, 4096); }
    std::string session_of(HttpClient& client, const std::string& revision = "2025-11-25") {
        client.send(post_bytes(initialize(revision, "attacker")));
        return client.reply().field("mcp-session-id");
    }

    Child child_;
    std::uint16_t port_ = 0;
    std::size_t idle_ = 0;
    std::list<HttpClient> attackers_;
};

TEST_F(SmallServer, incomplete_bodies_stay_within_the_budget) {
    const std::string body = post_bytes(std::string(15'000'000, ' '));
    for (int i = 0; i < 3; ++i) attacker().send(std::string_view(body).substr(0, body.size() - 100));
    expect_within_budget();
}

TEST_F(SmallServer, unread_responses_stay_within_the_budget) {
    const std::string session = session_of(attacker());  // calls in one session count as calls of one peer
    for (int i = 0; i < 400; ++i)
        attacker().send(post_bytes(call("big", R"({"bytes":1000000})", std::to_string(i)), in_session(session)));
    expect_within_budget();
}

TEST_F(SmallServer, responses_of_batches_stay_within_the_budget) {
    std::string batch = "[" + call("big", R"({"bytes":200000})", "0");
    for (int i = 1; i < 500; ++i) batch += "," + call("big", R"({"bytes":200000})", std::to_string(i));
    for (int i = 0; i < 3; ++i) {
        HttpClient& client = attacker();
        const std::string session = session_of(client, "2025-03-26");
        client.send(post_bytes(batch + "]", in_session(session)));
    }
    expect_within_budget();
}

TEST_F(SmallServer, sessions_stay_within_the_budget) {
    const std::string bytes = post_bytes(initialize("2025-11-25", std::string(60'000, 'n')));
    for (int i = 0; i < 3; ++i) {
        HttpClient& client = attacker();
        for (int k = 0; k < 1000; ++k) {
            client.send(bytes);
            if (client.reply().status != 200) break;
        }
    }
    expect_within_budget();
}

TEST_F(SmallServer, subscriptions_stay_within_the_budget) {
    for (int i = 0; i < 3; ++i) {
        HttpClient& client = attacker();
        const std::string session = session_of(client);
        for (int k = 0; k < 3000; ++k) {
            const std::string uri = "note://f/" + std::to_string(k) + std::string(8'000, 'u');
            client.send(post_bytes(message("resources/subscribe", R"("uri":")" + uri + "\""), in_session(session)));
            if (client.reply().body.find("Limits::") != std::string::npos) break;
        }
    }
    expect_within_budget();
}

}  // namespace
}  // namespace tenon::test
