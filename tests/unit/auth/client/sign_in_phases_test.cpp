// The transitions of the table in sign_in.hpp, one test for each, and the events that a phase does not wait for.
#include <tenon/auth/error.hpp>

#include "unit/auth/client/sign_in_world.hpp"

namespace tenon::auth::client {
namespace {

using Phase = SignIn::Phase;

class SignInPhases : public SigningIn {
 protected:
    void SetUp() override {
        profile->idp_issuer = idp;
        set_issuer("", idp);
        places[idp + "/token"] = {200, grant};
    }
    void start(Profile::Kind kind = Profile::Kind::user, std::string_view challenge = "Bearer") {
        profile->kind = kind;
        if (kind != Profile::Kind::user) profile->client_id = "me";
        flow.emplace(profile, record, randomness());
        action = flow->begin({parse_challenges(challenge), false, true}, now);
    }
    void start_refresh() {
        flow.emplace(profile, record, randomness());
        action = flow->refresh(now);
    }
    /// Plays the world until this phase begins.
    void advance_to(Phase phase) {
        for (int steps = 0; steps < 10 && flow->phase() != phase && flow->phase() != Phase::over; ++steps)
            action = next(*flow, action);
        ASSERT_EQ(flow->phase(), phase);
    }
    /// Makes the record of a client that has signed in before.
    void have_tokens() {
        ASSERT_TRUE(sign_in()) << error;
        ASSERT_EQ(record.tokens.refresh_token, "RT");
    }
    void fetched(int status, const std::string& body, const std::string& nonce = {}) {
        action = flow->fetched(FetchResult{status, body, nonce}, now);
    }
    template <class Expected>
    void expect(Phase phase) const {
        EXPECT_EQ(flow->phase(), phase);
        EXPECT_TRUE(std::holds_alternative<Expected>(action)) << action.index();
    }
    std::string url() const { return std::get<Fetch>(action).url; }
    const Error& failure() const { return std::get<Failed>(action).why; }

    static inline const std::string idp = "https://idp.example";
    static inline const std::string grant =
        R"({"access_token":"JAG","issued_token_type":"urn:ietf:params:oauth:token-type:id-jag"})";
    std::optional<SignIn> flow;
    Action action = Ready{};
};

// ---- unstarted

TEST_F(SignInPhases, begin_fetches_the_servers_metadata) {
    start();
    expect<Fetch>(Phase::resource_metadata);
    EXPECT_EQ(url(), "https://mcp.example/.well-known/oauth-protected-resource/mcp");
}

TEST_F(SignInPhases, refresh_requests_tokens) {
    have_tokens();
    start_refresh();
    expect<Fetch>(Phase::refreshing);
    EXPECT_EQ(url(), token);
}

TEST_F(SignInPhases, begin_fails_for_an_unsafe_server) {
    profile->server = web::parse_url("http://mcp.example/mcp").value();
    start();
    expect<Failed>(Phase::over);
}

TEST_F(SignInPhases, refresh_fails_without_a_stored_endpoint) {
    start_refresh();
    expect<Failed>(Phase::over);
}

// ---- resource_metadata

TEST_F(SignInPhases, the_servers_metadata_leads_to_the_issuers) {
    start();
    action = next(*flow, action);
    expect<Fetch>(Phase::issuer_metadata);
    EXPECT_EQ(url(), "https://as.example/.well-known/oauth-authorization-server");
}

TEST_F(SignInPhases, missing_server_metadata_is_looked_for_at_the_next_url) {
    start();
    fetched(404, "");
    expect<Fetch>(Phase::resource_metadata);
    EXPECT_EQ(url(), "https://mcp.example/.well-known/oauth-protected-resource");
}

TEST_F(SignInPhases, a_server_without_metadata_is_its_own_issuer) {
    start();
    fetched(404, "");
    fetched(404, "");
    expect<Fetch>(Phase::issuer_metadata);
    EXPECT_EQ(url(), "https://mcp.example/.well-known/oauth-authorization-server");
}

TEST_F(SignInPhases, a_server_error_instead_of_metadata_ends_the_attempt) {
    start();
    fetched(503, "");
    expect<Failed>(Phase::over);
}

// ---- issuer_metadata

TEST_F(SignInPhases, missing_issuer_metadata_is_looked_for_at_the_next_url) {
    start();
    advance_to(Phase::issuer_metadata);
    fetched(404, "");
    expect<Fetch>(Phase::issuer_metadata);
    EXPECT_EQ(url(), "https://as.example/.well-known/openid-configuration");
}

TEST_F(SignInPhases, an_issuer_without_metadata_ends_the_attempt) {
    start();
    advance_to(Phase::issuer_metadata);
    fetched(404, "");
    fetched(404, "");
    expect<Failed>(Phase::over);
}

TEST_F(SignInPhases, an_old_server_without_issuer_metadata_gets_the_default_endpoints) {
    start();
    for (int urls = 0; urls < 4; ++urls) fetched(404, "");
    expect<Listen>(Phase::listener);
}

TEST_F(SignInPhases, a_user_with_a_refresh_token_refreshes) {
    have_tokens();
    start();
    advance_to(Phase::issuer_metadata);
    action = next(*flow, action);
    expect<Fetch>(Phase::refreshing);
    EXPECT_EQ(url(), token);
}

TEST_F(SignInPhases, a_user_without_a_refresh_token_listens) {
    start();
    advance_to(Phase::issuer_metadata);
    action = next(*flow, action);
    expect<Listen>(Phase::listener);
}

TEST_F(SignInPhases, client_credentials_request_tokens) {
    start(Profile::Kind::client_credentials);
    advance_to(Phase::issuer_metadata);
    action = next(*flow, action);
    expect<Fetch>(Phase::tokens);
}

TEST_F(SignInPhases, a_workload_and_an_enterprise_ask_for_an_assertion) {
    for (const auto kind : {Profile::Kind::workload, Profile::Kind::enterprise}) {
        start(kind);
        advance_to(Phase::issuer_metadata);
        action = next(*flow, action);
        expect<AskAssertion>(Phase::assertion);
    }
}

// ---- refreshing

TEST_F(SignInPhases, a_refresh_ends_with_tokens) {
    have_tokens();
    start_refresh();
    fetched(200, tokens);
    expect<Ready>(Phase::over);
    EXPECT_TRUE(std::get<Ready>(action).refreshed);
}

TEST_F(SignInPhases, a_refresh_is_repeated_once_with_a_dpop_nonce) {
    profile->dpop = Profile::Dpop::always;
    places[token].body = R"({"access_token":"AT","token_type":"DPoP","refresh_token":"RT"})";
    have_tokens();
    start_refresh();
    fetched(400, R"({"error":"use_dpop_nonce"})", "N1");
    expect<Fetch>(Phase::refreshing);
    fetched(400, R"({"error":"use_dpop_nonce"})", "N2");
    expect<Failed>(Phase::over);
}

TEST_F(SignInPhases, a_refused_refresh_after_a_refused_request_asks_the_user) {
    have_tokens();
    start();
    advance_to(Phase::refreshing);
    fetched(400, R"({"error":"invalid_grant"})");
    expect<Listen>(Phase::listener);
    places[token] = {200, tokens};
    advance_to(Phase::tokens);
    action = next(*flow, action);
    expect<Ready>(Phase::over);
    EXPECT_FALSE(std::get<Ready>(action).refreshed);
}

TEST_F(SignInPhases, a_refused_refresh_without_a_refused_request_fails) {
    have_tokens();
    start_refresh();
    fetched(400, R"({"error":"invalid_grant"})");
    expect<Failed>(Phase::over);
}

// ---- listener, registration, user

TEST_F(SignInPhases, a_client_with_an_id_asks_the_user_at_once) {
    profile->client_id = "me";
    start();
    advance_to(Phase::listener);
    action = next(*flow, action);
    expect<AskUser>(Phase::user);
}

TEST_F(SignInPhases, a_client_without_an_id_registers) {
    start();
    advance_to(Phase::listener);
    action = next(*flow, action);
    expect<Fetch>(Phase::registration);
    EXPECT_EQ(url(), "https://as.example/register");
}

TEST_F(SignInPhases, an_address_that_is_in_use_ends_the_attempt) {
    start();
    advance_to(Phase::listener);
    action = flow->listening(Error{code::internal_error, "address in use"}, now);
    expect<Failed>(Phase::over);
    EXPECT_EQ(failure().message, "address in use");
}

TEST_F(SignInPhases, a_registered_client_asks_the_user) {
    start();
    advance_to(Phase::registration);
    action = next(*flow, action);
    expect<AskUser>(Phase::user);
}

TEST_F(SignInPhases, a_refused_registration_ends_the_attempt) {
    start();
    advance_to(Phase::registration);
    fetched(400, R"({"error":"invalid_client_metadata"})");
    expect<Failed>(Phase::over);
}

TEST_F(SignInPhases, a_redirect_with_a_code_requests_tokens) {
    start();
    advance_to(Phase::user);
    action = next(*flow, action);
    expect<Fetch>(Phase::tokens);
    EXPECT_EQ(url(), token);
}

TEST_F(SignInPhases, a_user_who_does_not_come_back_ends_the_attempt) {
    start();
    advance_to(Phase::user);
    action = flow->redirected(Error{code::not_authorised, "too late"}, now);
    expect<Failed>(Phase::over);
}

// ---- assertion, idp_metadata, exchange

TEST_F(SignInPhases, the_assertion_of_a_workload_requests_tokens) {
    start(Profile::Kind::workload);
    advance_to(Phase::assertion);
    action = next(*flow, action);
    expect<Fetch>(Phase::tokens);
}

TEST_F(SignInPhases, an_enterprise_finds_its_identity_provider) {
    start(Profile::Kind::enterprise);
    advance_to(Phase::assertion);
    action = next(*flow, action);
    expect<Fetch>(Phase::idp_metadata);
    EXPECT_EQ(url(), idp + "/.well-known/oauth-authorization-server");
}

TEST_F(SignInPhases, an_enterprise_with_a_token_endpoint_exchanges_at_once) {
    profile->idp_token_endpoint = idp + "/token";
    start(Profile::Kind::enterprise);
    advance_to(Phase::assertion);
    action = next(*flow, action);
    expect<Fetch>(Phase::exchange);
}

TEST_F(SignInPhases, a_missing_assertion_ends_the_attempt) {
    start(Profile::Kind::workload);
    advance_to(Phase::assertion);
    action = flow->asserted(Error{code::not_authorised, "no platform"}, now);
    expect<Failed>(Phase::over);
}

TEST_F(SignInPhases, missing_idp_metadata_is_looked_for_at_the_next_url) {
    start(Profile::Kind::enterprise);
    advance_to(Phase::idp_metadata);
    fetched(404, "");
    expect<Fetch>(Phase::idp_metadata);
    EXPECT_EQ(url(), idp + "/.well-known/openid-configuration");
}

TEST_F(SignInPhases, the_idp_metadata_leads_to_the_exchange) {
    start(Profile::Kind::enterprise);
    advance_to(Phase::idp_metadata);
    action = next(*flow, action);
    expect<Fetch>(Phase::exchange);
    EXPECT_EQ(url(), idp + "/token");
}

// The default endpoints of 2025-03-26 belong to the server. It must not get the company's ID token.
TEST_F(SignInPhases, the_id_token_is_not_sent_to_an_old_server_when_the_idp_has_no_metadata) {
    start(Profile::Kind::enterprise);
    for (int urls = 0; urls < 4; ++urls) fetched(404, "");
    advance_to(Phase::idp_metadata);
    fetched(404, "");
    fetched(404, "");
    expect<Failed>(Phase::over);
}

TEST_F(SignInPhases, the_grant_of_the_exchange_requests_tokens) {
    start(Profile::Kind::enterprise);
    advance_to(Phase::exchange);
    fetched(200, grant);
    expect<Fetch>(Phase::tokens);
    EXPECT_EQ(url(), token);
}

TEST_F(SignInPhases, a_refused_exchange_ends_the_attempt) {
    start(Profile::Kind::enterprise);
    advance_to(Phase::exchange);
    fetched(403, "");
    expect<Failed>(Phase::over);
}

// ---- tokens

TEST_F(SignInPhases, tokens_end_the_attempt) {
    start();
    advance_to(Phase::tokens);
    fetched(200, tokens);
    expect<Ready>(Phase::over);
    EXPECT_FALSE(std::get<Ready>(action).refreshed);
}

TEST_F(SignInPhases, a_token_request_is_repeated_once_with_a_dpop_nonce) {
    start(Profile::Kind::user, "DPoP");
    advance_to(Phase::tokens);
    fetched(400, R"({"error":"use_dpop_nonce"})", "N1");
    expect<Fetch>(Phase::tokens);
    fetched(400, R"({"error":"use_dpop_nonce"})", "N2");
    expect<Failed>(Phase::over);
}

TEST_F(SignInPhases, a_refused_token_request_ends_the_attempt) {
    start();
    advance_to(Phase::tokens);
    fetched(400, R"({"error":"invalid_grant"})");
    expect<Failed>(Phase::over);
}

TEST_F(SignInPhases, a_fetch_without_a_response_ends_the_attempt) {
    start();
    action = flow->fetched(Error{code::connection_closed, "no connection"}, now);
    expect<Failed>(Phase::over);
    EXPECT_EQ(failure().message, "cannot sign in: no connection");
}

// ---- events that the phase does not wait for

struct SignInEvent {
    const char* name;
    std::function<Action(SignIn&)> send;
};

const std::vector<SignInEvent>& sign_in_events() {
    static const std::vector<SignInEvent> all{
        {"begin", [](SignIn& flow) { return flow.begin({}, 0); }},
        {"refresh", [](SignIn& flow) { return flow.refresh(0); }},
        {"fetched",
         [](SignIn& flow) {
             return flow.fetched(FetchResult{200, "{}", {}}, 0);
         }},
        {"listening", [](SignIn& flow) { return flow.listening(std::string("http://127.0.0.1:7/callback"), 0); }},
        {"redirected", [](SignIn& flow) { return flow.redirected(std::string("http://127.0.0.1:7/callback"), 0); }},
        {"asserted", [](SignIn& flow) { return flow.asserted(std::string("JWT"), 0); }},
    };
    return all;
}

struct WaitingPhase {
    const char* name;
    Phase phase;
    Profile::Kind kind;
    std::vector<std::string> awaited;
};

std::ostream& operator<<(std::ostream& out, const WaitingPhase& phase) { return out << phase.name; }

const std::vector<WaitingPhase>& waiting_phases() {
    using Kind = Profile::Kind;
    static const std::vector<WaitingPhase> all{
        {"unstarted", Phase::unstarted, Kind::user, {"begin", "refresh"}},
        {"resource_metadata", Phase::resource_metadata, Kind::user, {"fetched"}},
        {"issuer_metadata", Phase::issuer_metadata, Kind::user, {"fetched"}},
        {"refreshing", Phase::refreshing, Kind::user, {"fetched"}},
        {"listener", Phase::listener, Kind::user, {"listening"}},
        {"registration", Phase::registration, Kind::user, {"fetched"}},
        {"user", Phase::user, Kind::user, {"redirected"}},
        {"assertion", Phase::assertion, Kind::workload, {"asserted"}},
        {"idp_metadata", Phase::idp_metadata, Kind::enterprise, {"fetched"}},
        {"exchange", Phase::exchange, Kind::enterprise, {"fetched"}},
        {"tokens", Phase::tokens, Kind::user, {"fetched"}},
        {"over", Phase::over, Kind::user, {}},
    };
    return all;
}

class UnexpectedEvents : public SignInPhases, public testing::WithParamInterface<WaitingPhase> {
 protected:
    void reach(const WaitingPhase& wanted) {
        if (wanted.phase == Phase::refreshing) have_tokens();
        flow.emplace(profile, record, randomness());
        if (wanted.phase == Phase::unstarted) return;
        start(wanted.kind);
        advance_to(wanted.phase);
    }
};

TEST_P(UnexpectedEvents, end_the_attempt_with_an_error) {
    const WaitingPhase& waiting = GetParam();
    for (const SignInEvent& event : sign_in_events()) {
        if (std::ranges::find(waiting.awaited, event.name) != waiting.awaited.end()) continue;
        reach(waiting);
        action = event.send(*flow);
        SCOPED_TRACE(event.name);
        expect<Failed>(Phase::over);
        EXPECT_EQ(failure().code, code::internal_error);
        EXPECT_EQ(failure().message, "signing in got an event that it did not wait for");
    }
}

INSTANTIATE_TEST_SUITE_P(InPhase, UnexpectedEvents, testing::ValuesIn(waiting_phases()),
                         [](const auto& phase) { return std::string(phase.param.name); });

}  // namespace
}  // namespace tenon::auth::client
