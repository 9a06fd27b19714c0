// The oracle notices each kind of broken invariant.
#include <gtest/gtest.h>

#include "simulation/ledger.hpp"

namespace tenon::test {
namespace {

struct OracleTest : testing::Test {
    Agenda agenda;
    Dice dice{1};
    Oracle oracle;
    Ledger ledger{oracle};
    const Link::Tap tap = [](const Link&, Side, std::string_view) {};
    const LinkPtr first = std::make_shared<Link>(agenda, dice, 1, 1, "mcp.example", tap);
    const LinkPtr second = std::make_shared<Link>(agenda, dice, 2, 2, "mcp.example", tap);

    std::string failure() const { return oracle.failure().value_or(""); }
    static std::string request(const std::string& host, const std::string& fields = {}) {
        return "GET /mcp HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n";
    }
    std::size_t begin(const std::string& tool = "echo") {
        return ledger.begin({.owner = 1, .mark = Mark::make(1, dice), .tool = tool, .since = agenda.now()});
    }
    static json::value result(const std::string& text) {
        return json::object{{"content", json::array{json::object{{"type", "text"}, {"text", text}}}}};
    }
};

TEST_F(OracleTest, a_client_may_receive_its_own_secrets) {
    oracle.saw(*first, Side::server, Mark::make(1, dice) + "sid-00000001");
    oracle.saw(*first, Side::client, request("mcp.example", "Mcp-Session-Id: sid-00000001\r\n"));
    EXPECT_EQ(failure(), "");
}

TEST_F(OracleTest, a_foreign_secret_is_noticed_at_every_split) {
    const std::string secret = Mark::make(1, dice);
    for (std::size_t cut = 0; cut <= secret.size(); ++cut) {
        Oracle fresh;
        fresh.saw(*second, Side::server, "data: " + secret.substr(0, cut));
        fresh.saw(*second, Side::server, secret.substr(cut) + "\n");
        EXPECT_TRUE(fresh.failure()) << cut;
    }
}

TEST_F(OracleTest, random_text_is_not_a_secret) {
    oracle.saw(*second, Side::server, "zq01qABCDEFGHe zqAAq01234567e zq01q01234567x");
    EXPECT_EQ(failure(), "");
}

TEST_F(OracleTest, a_foreign_session_id_is_noticed) {
    oracle.saw(*first, Side::server, "Mcp-Session-Id: sid-00000001\r\n");
    oracle.saw(*second, Side::server, "Mcp-Session-Id: sid-00000001\r\n");
    EXPECT_NE(failure().find("session id of client 1"), std::string::npos);
}

TEST_F(OracleTest, a_foreign_token_is_noticed) {
    oracle.issued("eyJ0.abc.def", 1, "mcp.example");
    oracle.saw(*second, Side::server, R"({"access_token":"eyJ0.abc.def"})");
    EXPECT_NE(failure().find("a token of client 1"), std::string::npos);
}

TEST_F(OracleTest, a_token_for_another_server_is_noticed) {
    oracle.issued("eyJ0.abc.def", 1, "other.example");
    oracle.saw(*first, Side::client, request("mcp.example", "Authorization: Bearer eyJ0.abc.def\r\n"));
    EXPECT_NE(failure().find("a token for other.example was sent"), std::string::npos);
}

TEST_F(OracleTest, a_request_for_another_host_is_noticed) {
    oracle.saw(*first, Side::client, request("evil.example"));
    EXPECT_NE(failure().find("a request for evil.example"), std::string::npos);
}

TEST_F(OracleTest, a_call_that_ends_twice_is_noticed) {
    const std::size_t call = begin();
    ledger.ended(call, result(ledger.at(call).mark), agenda.now());
    EXPECT_EQ(failure(), "");
    ledger.ended(call, result(ledger.at(call).mark), agenda.now());
    EXPECT_NE(failure().find("ended twice"), std::string::npos);
}

TEST_F(OracleTest, a_result_of_another_call_is_noticed) {
    const std::size_t call = begin(), another = begin();
    ledger.ended(call, result(ledger.at(another).mark), agenda.now());
    EXPECT_NE(failure().find("got a wrong result"), std::string::npos);
}

TEST_F(OracleTest, lost_progress_is_noticed) {
    const std::size_t call = begin("talk");
    ledger.reported(call, ledger.at(call).mark + "/0");
    EXPECT_EQ(failure(), "");
    ledger.reported(call, ledger.at(call).mark + "/2");
    EXPECT_NE(failure().find("out of order"), std::string::npos);
}

TEST_F(OracleTest, an_error_needs_a_cause_of_the_same_client_at_the_same_time) {
    const Error broken{code::connection_closed, "broken"};
    ledger.causes.add(1, agenda.now(), 1s, "a fault");
    ledger.ended(begin(), broken, agenda.now());
    EXPECT_EQ(failure(), "");
    agenda.advance_to(agenda.now() + 1min);
    ledger.causes.add(2, agenda.now(), 1s, "a fault of another client");
    ledger.ended(begin(), broken, agenda.now());
    EXPECT_NE(failure().find("failed without a cause"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
