// Questions of a server to its client: by requests in the legacy era, by results in the modern era.
#include <gtest/gtest.h>

#include "support/client_world.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;

class ClientAsks : public testing::Test, protected test::ClientWorld {
 protected:
    ClientAsks() {
        settings.identity.abilities.elicitation_form = true;
        settings.identity.abilities.elicitation_url = true;
        settings.identity.abilities.sampling = true;
        settings.identity.abilities.roots = true;
    }
    void request(std::string_view id, std::string_view method, std::string_view params = "{}") {
        receive(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
                R"(","params":)" + std::string(params) + "}");
    }
    int code() const {
        const json::value v = last();
        return v.as_object().contains("error") ? static_cast<int>(v.at("error").at("code").as_int64()) : 0;
    }
    void reply(AskAnswer answer) { engine().answered(asks.back().id, std::move(answer), now), take(); }

    static constexpr std::string_view form =
        R"({"message":"Who?","requestedSchema":{"type":"object","properties":{)"
        R"("name":{"type":"string"},"age":{"type":"integer","default":7}},"required":["name"]}})";
};

// rules: LIFE-14
TEST_F(ClientAsks, a_ping_is_answered_even_before_the_handshake) {
    settings.era = Era::legacy;
    open();
    request("1", "ping");
    EXPECT_EQ(json::write(last()), R"({"jsonrpc":"2.0","id":1,"result":{}})");
    EXPECT_EQ(outgoing.back().kind, OutgoingMessage::Kind::response);
}

// rules: LIFE-10, RPC-7
TEST_F(ClientAsks, a_question_without_a_handler_is_method_not_found) {
    settings.identity.abilities = {};
    connect_legacy();
    for (const std::string method : {"roots/list", "sampling/createMessage", "elicitation/create", "acme/what"}) {
        request("\"x\"", method);
        EXPECT_EQ(code(), code::method_not_found) << method;
        EXPECT_EQ(json::write(last().at("id")), "\"x\"");
    }
    EXPECT_TRUE(asks.empty());
}

TEST_F(ClientAsks, an_accepted_form_is_completed_with_its_defaults) {
    connect_legacy();
    request("5", "elicitation/create", form);
    ASSERT_EQ(asks.size(), 1u);
    EXPECT_EQ(std::get<ElicitRequest>(asks.back().request).message, "Who?");
    reply(ElicitResult{ElicitAction::accept, {{"name", "Ada"}}});
    EXPECT_EQ(json::write(last().at("result")), R"({"action":"accept","content":{"name":"Ada","age":7}})");
    const auto before = sent.size();
    reply(ElicitResult{ElicitAction::decline});
    EXPECT_EQ(sent.size(), before) << "the question was answered twice";
}

TEST_F(ClientAsks, an_answer_that_does_not_match_the_form_is_an_error) {
    connect_legacy();
    request("5", "elicitation/create", form);
    reply(ElicitResult{ElicitAction::accept, {{"name", 3}}});
    EXPECT_EQ(code(), code::internal_error);
}

TEST_F(ClientAsks, a_declined_form_has_no_content) {
    connect_legacy();
    request("5", "elicitation/create", form);
    reply(ElicitResult{ElicitAction::decline, {{"name", "Ada"}}});
    EXPECT_EQ(json::write(last().at("result")), R"({"action":"decline"})");
}

// rules: SEC-3
TEST_F(ClientAsks, invalid_questions_are_refused_without_calling_a_handler) {
    connect_legacy();
    request("5", "elicitation/create", R"({"message":"?","requestedSchema":{"type":"nothing"}})");
    EXPECT_EQ(code(), code::invalid_params);
    for (const char* url : {"not a url", "javascript:alert(1)", "file:///etc/passwd", "https:"}) {
        request("6", "elicitation/create",
                R"({"mode":"url","message":"?","elicitationId":"1","url":")" + std::string(url) + "\"}");
        EXPECT_EQ(code(), code::invalid_params) << url;
    }
    request("7", "sampling/createMessage", R"({"messages":[]})");
    EXPECT_EQ(code(), code::invalid_params);
    request("8", "sampling/createMessage", R"({"messages":[],"maxTokens":1,"tools":[{"name":"t","inputSchema":{}}]})");
    EXPECT_EQ(code(), code::invalid_params);
    receive(R"({"jsonrpc":"2.0","id":9,"method":"roots/list","params":[1]})");
    EXPECT_EQ(code(), code::invalid_params);
    EXPECT_TRUE(asks.empty());
}

TEST_F(ClientAsks, sampling_roots_and_url_elicitation_are_answered) {
    connect_legacy();
    request("1", "sampling/createMessage",
            R"({"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":9})");
    reply(SampleResult{Role::assistant, {TextContent{"hello"}}, "m", "endTurn"});
    EXPECT_EQ(json::write(last().at("result")),
              R"({"role":"assistant","content":{"type":"text","text":"hello"},"model":"m","stopReason":"endTurn"})");
    request("2", "roots/list");
    reply(std::vector<Root>{{"file:///a", "a"}});
    EXPECT_EQ(json::write(last().at("result")), R"({"roots":[{"uri":"file:///a","name":"a"}]})");
    request("3", "elicitation/create", R"({"mode":"url","message":"?","url":"https://e.x/","elicitationId":"1"})");
    reply(ElicitResult{ElicitAction::accept, {{"no", 1}}});
    EXPECT_EQ(json::write(last().at("result")), R"({"action":"accept"})");
}

TEST_F(ClientAsks, a_cancelled_question_gets_no_answer) {
    connect_legacy();
    request("5", "roots/list");
    const auto before = sent.size();
    receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
    EXPECT_TRUE(asks.back().stop.stop_requested());
    reply(std::vector<Root>{});
    EXPECT_EQ(sent.size(), before);
}

// rules: RPC-10
TEST_F(ClientAsks, duplicate_ids_and_too_many_questions_are_refused) {
    settings.limits.max_server_requests = 2;
    connect_legacy();
    request("1", "roots/list");
    request("1", "roots/list");
    EXPECT_EQ(code(), code::invalid_request);
    request("2", "roots/list"), request("3", "roots/list");
    EXPECT_EQ(code(), code::server_error);
    EXPECT_EQ(asks.size(), 2u);
}

TEST_F(ClientAsks, a_call_does_not_time_out_while_its_question_is_open) {
    connect_legacy();
    const CallId a = call("tools/call", {{"name", "t"}});
    const std::string id = last_id();
    request("5", "elicitation/create", form);
    pass(settings.limits.request_time * 3);
    EXPECT_EQ(error_of(a), 1);
    reply(ElicitResult{ElicitAction::cancel});
    answer_id(id, R"({"content":[]})");
    EXPECT_EQ(error_of(a), 0);
}

TEST_F(ClientAsks, handlers_are_stopped_when_the_connection_ends) {
    connect_legacy();
    request("5", "roots/list");
    close();
    EXPECT_TRUE(asks.back().stop.stop_requested());
}

// ---- questions in results (2026-07-28)

class ClientInput : public ClientAsks {
 protected:
    void ask(std::string_view requests, std::string_view rest = R"(,"requestState":"s\u00e9\n\"1")") {
        answer(R"({"resultType":"input_required","inputRequests":)" + std::string(requests) + std::string(rest) + "}");
    }
    static inline const std::string who =
        R"({"who":{"method":"elicitation/create","params":)" + std::string(form) + "}}";
};

TEST_F(ClientInput, the_call_is_sent_again_with_the_input) {
    connect_modern();
    const CallId a = call("tools/call", {{"name", "t"}, {"arguments", json::object{{"x", 1}}}});
    const std::string first = last_id();
    ask(who);
    ASSERT_EQ(asks.size(), 1u);
    reply(ElicitResult{ElicitAction::accept, {{"name", "Ada"}}});
    EXPECT_EQ(last_method(), "tools/call");
    EXPECT_NE(last_id(), first);
    const json::object params = last().at("params").as_object();
    EXPECT_EQ(json::write(params.at("inputResponses")),
              R"({"who":{"action":"accept","content":{"name":"Ada","age":7}}})");
    EXPECT_EQ(params.at("requestState").as_string(), "s\u00e9\n\"1");
    EXPECT_EQ(json::write(params.at("arguments")), R"({"x":1})");
    EXPECT_TRUE(params.at("_meta").as_object().contains("io.modelcontextprotocol/protocolVersion"));
    answer(R"({"resultType":"complete","content":[]})");
    EXPECT_EQ(error_of(a), 0);
}

TEST_F(ClientInput, all_questions_of_a_round_are_answered_and_old_state_is_dropped) {
    connect_modern();
    call("tools/call", {{"name", "t"}});
    ask(R"({"a":{"method":"roots/list"},"b":{"method":"roots/list","params":{}}})");
    ASSERT_EQ(asks.size(), 2u);
    const auto before = sent.size();
    engine().answered(asks[0].id, std::vector<Root>{}, now), take();
    EXPECT_EQ(sent.size(), before);
    engine().answered(asks[1].id, std::vector<Root>{}, now), take();
    EXPECT_EQ(last().at("params").at("inputResponses").as_object().size(), 2u);
    ask(R"({"c":{"method":"roots/list"}})", "");
    reply(std::vector<Root>{});
    EXPECT_FALSE(last().at("params").as_object().contains("requestState"));
    EXPECT_EQ(json::write(last().at("params").at("inputResponses")), R"({"c":{"roots":[]}})");
}

TEST_F(ClientInput, a_state_without_questions_is_sent_back_at_once) {
    connect_modern();
    call("resources/read", {{"uri", "a:b"}});
    answer(R"({"resultType":"input_required","requestState":"x"})");
    EXPECT_EQ(last().at("params").at("requestState").as_string(), "x");
    EXPECT_FALSE(last().at("params").as_object().contains("inputResponses"));
}

TEST_F(ClientInput, the_number_of_input_rounds_is_limited) {
    settings.limits.max_input_rounds = 3;
    connect_modern();
    const CallId a = call("prompts/get", {{"name", "p"}});
    for (int i = 0; i < 10 && error_of(a) == 1; ++i) answer(R"({"resultType":"input_required","requestState":"x"})");
    EXPECT_EQ(error_of(a), code::invalid_answer);
    EXPECT_EQ(sent.size(), 5u);  // discover, and the call four times
}

TEST_F(ClientInput, an_invalid_question_fails_the_call) {
    connect_modern();
    for (const std::string requests :
         {R"({"x":{"method":"acme/what"}})", R"({"x":7})", R"({"x":{"method":"elicitation/create","params":{}}})"}) {
        const CallId a = call("tools/call", {{"name", "t"}});
        ask(requests);
        EXPECT_EQ(error_of(a), code::invalid_answer) << requests;
    }
    const CallId b = call("tools/list");
    ask(who);
    EXPECT_EQ(error_of(b), code::invalid_answer);
    const CallId c = call("tools/call", {{"name", "t"}});
    answer(R"({"resultType":"input_required"})");
    EXPECT_EQ(error_of(c), code::invalid_answer);
    EXPECT_TRUE(asks.empty());
}

TEST_F(ClientInput, a_failed_handler_fails_the_call_and_stops_the_other_handlers) {
    connect_modern();
    const CallId a = call("tools/call", {{"name", "t"}});
    ask(R"({"a":{"method":"roots/list"},"b":{"method":"roots/list"}})");
    engine().answered(asks[0].id, Error{code::internal_error, "no roots today"}, now), take();
    EXPECT_EQ(error_of(a), code::internal_error);
    EXPECT_TRUE(asks[1].stop.stop_requested());
}

TEST_F(ClientInput, a_cancelled_call_stops_its_handlers) {
    connect_modern();
    const CallId a = call("tools/call", {{"name", "t"}});
    ask(who);
    const auto before = sent.size();
    engine().cancel(a, "enough"), take();
    EXPECT_TRUE(asks[0].stop.stop_requested());
    EXPECT_EQ(sent.size(), before) << "no request is open that could be cancelled";
}

TEST_F(ClientInput, an_unknown_result_type_is_invalid_and_a_missing_one_means_complete) {
    connect_modern();
    const CallId a = call("tools/list");
    answer(R"({"resultType":"surprise","tools":[]})");
    EXPECT_EQ(error_of(a), code::invalid_answer);
    const CallId b = call("tools/list");
    answer(R"({"tools":[]})");
    EXPECT_EQ(error_of(b), 0);
}

TEST_F(ClientInput, requests_of_a_modern_server_are_not_answered) {
    connect_modern();
    const auto before = sent.size();
    request("1", "ping");
    request("2", "roots/list");
    receive(R"({"jsonrpc":"2.0","id":3,"method":"x","params":[]})");
    EXPECT_EQ(sent.size(), before);
    EXPECT_EQ(notes.size(), 3u);
}

// rules: LIFE-10
TEST_F(ClientAsks, an_undeclared_elicitation_mode_is_invalid_params) {
    settings.identity.abilities.elicitation_url = false;
    connect_legacy();
    request("1", "elicitation/create", R"({"mode":"url","message":"m","url":"https://a/","elicitationId":"e"})");
    EXPECT_EQ(code(), code::invalid_params);
    ClientWorld other;
    other.settings.identity.abilities.elicitation_url = true;
    other.connect_legacy();
    other.receive(R"({"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":)" + std::string(form) + "}");
    EXPECT_EQ(other.last().at("error").at("code").as_int64(), code::invalid_params);
    EXPECT_TRUE(asks.empty());
    EXPECT_TRUE(other.asks.empty());
}

// rules: LIFE-10
TEST_F(ClientAsks, only_the_end_of_a_known_elicitation_is_announced_and_only_once) {
    connect_legacy();
    const auto complete = [&](const std::string& id) {
        receive(R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":")" + id +
                R"("}})");
    };
    complete("e");
    EXPECT_TRUE(announced.empty()) << "unknown";
    request("1", "elicitation/create", R"({"mode":"url","message":"m","url":"https://a/","elicitationId":"e"})");
    complete("e");
    EXPECT_EQ(announced.size(), 1u);
    complete("e");
    EXPECT_EQ(announced.size(), 1u) << "already completed";
    call("tools/call", {{"name", "t"}});
    refuse(code::url_elicitation_required, R"({"elicitations":[{"mode":"url","elicitationId":"f"}]})");
    complete("f");
    EXPECT_EQ(announced.size(), 2u) << "the error -32042 names pages, too";
}

// rules: SEC-3
TEST_F(ClientAsks, invalid_roots_are_not_sent) {
    connect_legacy();
    request("1", "roots/list");
    reply(std::vector<Root>{{"file:///home/../etc"}});
    EXPECT_EQ(code(), code::internal_error);
    request("2", "roots/list");
    reply(std::vector<Root>{{"https://example.com"}});
    EXPECT_EQ(code(), code::internal_error);
    request("3", "roots/list");
    reply(std::vector<Root>{{"file:///home"}});
    EXPECT_EQ(code(), 0);
}

// rules: SEC-3
TEST_F(ClientAsks, unbalanced_tool_calls_in_sampling_are_invalid_params) {
    settings.identity.abilities.sampling_tools = true;
    connect_legacy();
    const std::string use = R"({"role":"assistant","content":{"type":"tool_use","id":"a","name":"t","input":{}}})";
    const std::string result = R"({"role":"user","content":{"type":"tool_result","toolUseId":"a","content":[]}})";
    request("1", "sampling/createMessage", R"({"maxTokens":9,"messages":[)" + use + "]}");
    EXPECT_EQ(code(), code::invalid_params);
    EXPECT_TRUE(asks.empty());
    request("2", "sampling/createMessage", R"({"maxTokens":9,"messages":[)" + use + "," + result + "]}");
    EXPECT_EQ(asks.size(), 1u);
}

// rules: LIFE-10
TEST_F(ClientAsks, include_context_is_removed_unless_declared) {
    const std::string params =
        R"({"maxTokens":9,"includeContext":"allServers","messages":[{"role":"user","content":{"type":"text","text":"x"}}]})";
    connect_legacy();
    request("1", "sampling/createMessage", params);
    EXPECT_EQ(std::get<SampleRequest>(asks.back().request).includeContext, "");
    ClientWorld other;
    other.settings.identity.abilities.sampling = other.settings.identity.abilities.sampling_context = true;
    other.connect_legacy();
    EXPECT_TRUE(other.sent.front().at("params").at("capabilities").at("sampling").as_object().contains("context"));
    other.receive(R"({"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":)" + params + "}");
    EXPECT_EQ(std::get<SampleRequest>(other.asks.back().request).includeContext, "allServers");
}

// rules: SEC-4
TEST_F(ClientAsks, questions_are_limited_per_minute) {
    settings.limits.max_questions_per_minute = 2;
    connect_legacy();
    for (int i = 0; i < 2; ++i) request(std::to_string(i), "elicitation/create", form);
    EXPECT_EQ(asks.size(), 2u);
    request("7", "elicitation/create", form);
    EXPECT_EQ(code(), code::server_error);
    EXPECT_EQ(asks.size(), 2u);
    request("8", "roots/list");
    EXPECT_EQ(asks.size(), 3u) << "requests for roots are not limited";
    pass(30s);
    request("9", "elicitation/create", form);
    EXPECT_EQ(asks.size(), 4u);
}

// rules: LIFE-16
TEST_F(ClientAsks, the_reason_of_a_cancelled_question_is_logged) {
    connect_legacy();
    request("5", "elicitation/create", form);
    receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"too late"}})");
    ASSERT_FALSE(notes.empty());
    EXPECT_EQ(notes.back(), "the server cancelled its question 5: too late");
}

// rules: RPC-14
TEST_F(ClientAsks, local_error_codes_are_not_sent) {
    connect_legacy();
    request("5", "elicitation/create", form);
    engine().answered(asks.back().id, Error{code::connection_closed, "nested call"}, now), take();
    EXPECT_EQ(code(), code::internal_error);
}

}  // namespace
}  // namespace tenon::core
