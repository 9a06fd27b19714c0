// Answers that cannot be read. The call fails at once with the reason and does not wait for its timeout.
// rules: INT-6
#include <gtest/gtest.h>

#include "support/client_world.hpp"

namespace tenon::core {
namespace {

class ClientUnreadable : public testing::Test, protected test::ClientWorld {
 protected:
    struct Two {
        CallId first, second;
        std::string first_request;
    };
    Two two_calls() {
        if (!std::exchange(connected_, true)) connect_legacy();
        Two out;
        out.first = call("tools/call", {{"name", "a"}});
        out.first_request = last_id();
        out.second = call("tools/call", {{"name", "b"}});
        return out;
    }
    std::string answer_of(const Two& calls, std::string_view rest) const {
        return R"({"jsonrpc":"2.0","id":)" + calls.first_request + "," + std::string(rest);
    }
    void expect_only_the_first_fails(const Two& calls, std::string_view reason) {
        EXPECT_EQ(error_of(calls.first), code::invalid_answer);
        EXPECT_NE(why(calls.first).find(reason), std::string::npos) << why(calls.first);
        EXPECT_EQ(error_of(calls.second), 1) << why(calls.second);
    }

 private:
    bool connected_ = false;
};

TEST_F(ClientUnreadable, an_answer_that_is_not_json_fails_its_call) {
    const Two calls = two_calls();
    receive(answer_of(calls, R"("result":{"a":1,}})"));
    expect_only_the_first_fails(calls, "cannot be read");
}

TEST_F(ClientUnreadable, an_answer_with_invalid_utf8_fails_its_call) {
    const Two calls = two_calls();
    receive(answer_of(calls, "\"result\":{\"a\":\"\xff\"}}"));
    expect_only_the_first_fails(calls, "cannot be read");
}

TEST_F(ClientUnreadable, an_answer_that_is_too_deep_fails_its_call) {
    const Two calls = two_calls();
    receive(answer_of(calls, R"("result":)" + std::string(1000, '[') + std::string(1000, ']') + "}"));
    expect_only_the_first_fails(calls, "cannot be read");
}

TEST_F(ClientUnreadable, an_answer_over_the_limit_fails_its_call) {
    settings.limits.max_message_bytes = 1000;
    const Two calls = two_calls();
    receive(R"({"result":{"a":")" + std::string(1000, 'x') + R"("},"jsonrpc":"2.0","id":)" + calls.first_request + "}");
    expect_only_the_first_fails(calls, "ClientLimits::max_message_bytes");
}

TEST_F(ClientUnreadable, an_answer_with_a_wrong_envelope_fails_its_call) {
    for (const char* rest : {R"("response":{}})", R"("result":{},"method":"x"})"}) {
        const Two calls = two_calls();
        receive(answer_of(calls, rest));
        expect_only_the_first_fails(calls, "cannot be read");
    }
    const Two calls = two_calls();
    receive(R"({"id":)" + calls.first_request + R"(,"result":{}})");
    expect_only_the_first_fails(calls, "jsonrpc");
}

TEST_F(ClientUnreadable, a_batch_over_the_limit_fails_the_calls_that_it_answers) {
    settings.limits.max_batch = 2;
    const Two calls = two_calls();
    receive("[{},{}," + answer_of(calls, R"("result":{}}])"));
    expect_only_the_first_fails(calls, "batch");
}

TEST_F(ClientUnreadable, an_unreadable_answer_without_a_known_id_fails_all_open_calls) {
    const Two calls = two_calls();
    receive("{\"jsonrpc\":\"2.0\",\"result\":{\"a\":\"\xff\"},\"id\":");
    EXPECT_EQ(error_of(calls.first), code::invalid_answer);
    EXPECT_EQ(error_of(calls.second), code::invalid_answer);
}

TEST_F(ClientUnreadable, a_message_dropped_for_its_length_fails_all_open_calls) {
    const Two calls = two_calls();
    engine().receive_too_long(1000, now), take();
    EXPECT_NE(why(calls.first).find("limit of 1000 bytes"), std::string::npos) << why(calls.first);
    EXPECT_EQ(error_of(calls.second), code::invalid_answer);
    const CallId next = call("tools/list");
    answer(R"({"tools":[]})");
    EXPECT_EQ(error_of(next), 0) << "the connection stays usable";
}

TEST_F(ClientUnreadable, lines_that_are_not_json_rpc_fail_no_call) {
    const Two calls = two_calls();
    for (const char* line : {"Server starting...", "{\"half\": ", "[info] {ready}", "\xff\xff",
                             R"({"level":30,"msg":"hello"})", R"({"jsonrpc":"2.0","method":"x","params":)"})
        receive(line);
    EXPECT_EQ(error_of(calls.first), 1) << why(calls.first);
    EXPECT_EQ(error_of(calls.second), 1) << why(calls.second);
    EXPECT_GE(notes.size(), 5U);
}

TEST_F(ClientUnreadable, a_timeout_quotes_the_error_response_without_an_id) {
    const Two calls = two_calls();
    receive(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"cannot parse that"}})");
    EXPECT_EQ(error_of(calls.first), 1) << "the response may answer a notification, so no call may fail";
    pass(settings.limits.request_time);
    EXPECT_EQ(error_of(calls.first), code::request_timeout);
    EXPECT_NE(why(calls.first).find("cannot parse that"), std::string::npos) << why(calls.first);
    const CallId later = call("tools/list");
    pass(settings.limits.request_time);
    EXPECT_EQ(why(later).find("cannot parse that"), std::string::npos)
        << "the response without an id came before this call";
}

TEST_F(ClientUnreadable, an_unreadable_answer_to_initialize_closes_the_connection_with_the_reason) {
    settings.era = Era::legacy;
    open();
    const CallId id = call("tools/list");
    receive(R"({"jsonrpc":"2.0","id":)" + last_id() + R"(,"result":{"protocolVersion":tru}})");
    EXPECT_EQ(hangups, 1);
    EXPECT_NE(why(id).find("cannot be read"), std::string::npos) << why(id);
}

TEST_F(ClientUnreadable, an_unreadable_answer_to_discover_leads_to_initialize_at_once) {
    open();
    ASSERT_EQ(last_method(), "server/discover");
    receive(R"({"jsonrpc":"2.0","id":)" + last_id() + R"(,"result":nope})");
    EXPECT_EQ(last_method(), "initialize");
}

}  // namespace
}  // namespace tenon::core
