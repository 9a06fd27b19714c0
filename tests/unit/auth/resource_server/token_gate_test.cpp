// rules: HTTP-13, TOOL-10, RES-10
#include <gtest/gtest.h>

#include "auth/resource_server/jwks_cache.hpp"
#include "auth/resource_server/token_gate.hpp"
#include "support/http_exchange.hpp"
#include "unit/auth/resource_server/authority.hpp"

namespace tenon::auth {
namespace {

using test::Head;
using web::Response;

std::string field(const Response& response, std::string_view name) {
    for (const auto& [n, value] : response.fields)
        if (n == name) return value;
    return "";
}
std::string challenge_of(const Response& response) { return field(response, "WWW-Authenticate"); }

ResourceServer options() {
    return {.issuer = the_issuer,
            .audience = the_resource,
            .scopes = {"mcp"},
            .needs = {.tools = {{"write", {"files:write"}}, {"wipe", {"files:write", "admin"}}},
                      .resources = {{"secret://{id}", {"secrets"}}},
                      .prompts = {{"plan", {"files:read"}}},
                      .implies = {{"admin", {"files:write"}}, {"files:write", {"files:read"}}}},
            .jwks_uri = "https://login.example/keys"};
}

const std::string where = R"(resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp")";

// A gate that has already loaded its keys.
struct Protected : testing::Test {
    explicit Protected(const ResourceServer& with = options()) { open(with); }
    void open(const ResourceServer& with) {
        gate = std::make_unique<TokenGate>(with, DpopNonces::Secret{1});
        gate->checker().check(token(key), at(0));
        gate->checker().take_fetches();
        gate->checker().fetched(JwksCache::what, jwks({key.public_key()}), at(0));
    }
    std::variant<CallerPtr, Response> come(const Head& head, std::int64_t seconds = 0) {
        const Now now = at(seconds);
        const auto read = gate->read(head);
        if (const auto* refused = std::get_if<Response>(&read)) return *refused;
        const Credentials credentials = std::get<Credentials>(read);
        const TokenCheck verdict = gate->checker().check(credentials.token, now);
        if (const auto* bad = std::get_if<BadToken>(&verdict)) return gate->refuse(head, credentials, *bad);
        return gate->admit(head, credentials, std::get<Token>(verdict), now.wall,
                           [&](const Proof& p) { return gate->see(p, now.wall); });
    }
    std::variant<CallerPtr, Response> with(const std::string& fields, std::int64_t seconds = 0) {
        return come(Head("POST", "/mcp", fields), seconds);
    }
    Response refused(const std::string& fields, std::int64_t seconds = 0) {
        auto out = with(fields, seconds);
        if (auto* response = std::get_if<Response>(&out)) return *response;
        ADD_FAILURE() << "the request was not refused: " << fields;
        return {};
    }
    CallerPtr let_in(const std::string& fields, std::int64_t seconds = 0) {
        auto out = with(fields, seconds);
        if (auto* caller = std::get_if<CallerPtr>(&out)) return *caller;
        ADD_FAILURE() << challenge_of(std::get<Response>(out));
        return std::make_shared<Caller>();
    }
    static std::string bearer(const std::string& t) { return "Authorization: Bearer " + t + "\r\n"; }
    static std::string dpop(const std::string& t, const std::string& p) {
        return "Authorization: DPoP " + t + "\r\nDPoP: " + p + "\r\n";
    }
    std::string bound_token() const {
        return token(key, claims({{"cnf", json::object{{"jkt", client.public_key().thumbprint()}}}}));
    }

    const jose::PrivateKey key = new_key(), client = jose::PrivateKey::generate(jose::Algorithm::es256);
    std::unique_ptr<TokenGate> gate;
};

// ---- tokens

TEST_F(Protected, a_valid_token_is_accepted) {
    const CallerPtr caller = let_in(bearer(token(key)));
    EXPECT_EQ(caller->principal, the_issuer + "#ada");
    EXPECT_EQ(caller->scopes, ScopeSet{"mcp"});
    let_in("Authorization: bearer  " + token(key) + "\r\n");
}

TEST_F(Protected, a_request_without_a_token_gets_a_challenge_with_the_metadata_url) {
    for (const char* fields : {"", "Authorization: Basic YTpi\r\n", "Authorization:\r\n", "X-Token: abc\r\n"}) {
        const Response response = refused(fields);
        EXPECT_EQ(response.status, 401);
        EXPECT_EQ(challenge_of(response), R"(Bearer scope="mcp", )" + where) << fields;
    }
}

TEST_F(Protected, a_bad_token_is_refused_and_the_challenge_says_why) {
    const auto says = [&](const std::string& t, std::string_view why, std::int64_t seconds = 0) {
        const Response response = refused(bearer(t), seconds);
        EXPECT_EQ(response.status, 401);
        EXPECT_EQ(challenge_of(response), R"(Bearer error="invalid_token", error_description=")" + std::string(why) +
                                              R"(", scope="mcp", )" + where);
        EXPECT_EQ(response.body.find(t), std::string::npos) << "the response must not repeat the token";
    };
    says(token(key), "the token is expired", 400);
    says(token(key, claims({{"aud", "https://other.example"}})), "the token is for another audience");
    says(token(new_key()), "the token is not signed by a key of the issuer");
    says("x", "the token is not a signed JWT");
    says("a\"b", "the Authorization header has no token");
    says("a b", "the Authorization header has no token");
    says("====", "the Authorization header has no token");
}

TEST_F(Protected, a_token_in_the_url_is_refused) {
    for (const char* target : {"/mcp?access_token=", "/mcp?x=1&access_token=", "/mcp?access%5Ftoken="}) {
        for (const std::string& fields : {std::string(), bearer(token(key))}) {
            auto out = come(Head("POST", target + token(key), fields));
            ASSERT_TRUE(std::holds_alternative<Response>(out));
            EXPECT_EQ(std::get<Response>(out).status, 400);
            EXPECT_NE(challenge_of(std::get<Response>(out)).find(R"(error="invalid_request")"), std::string::npos);
        }
    }
    EXPECT_TRUE(std::holds_alternative<CallerPtr>(come(Head("POST", "/mcp?x=access_token", bearer(token(key))))));
}

TEST_F(Protected, two_authorization_headers_are_refused) {
    EXPECT_EQ(refused(bearer(token(key)) + bearer(token(key))).status, 400);
}

TEST_F(Protected, pages_of_allowed_origins_can_read_a_refusal) {
    const Response response = refused("Origin: http://localhost\r\n");
    EXPECT_EQ(field(response, "Access-Control-Allow-Origin"), "http://localhost");
    EXPECT_NE(field(response, "Access-Control-Expose-Headers").find("WWW-Authenticate"), std::string::npos);
}

// ---- scopes

TEST_F(Protected, a_token_without_the_required_scopes_is_refused) {
    const Response response = refused(bearer(token(key, claims({{"scope", "other"}}))));
    EXPECT_EQ(response.status, 403);
    EXPECT_EQ(challenge_of(response),
              "Bearer error=\"insufficient_scope\", error_description=\"the token lacks scopes: request the scopes "
              "named here\", scope=\"mcp\", " +
                  where);
}

TEST_F(Protected, a_call_needs_all_its_scopes_and_the_challenge_names_them) {
    const CallerPtr caller = let_in(bearer(token(key)));
    const core::Use wipe{core::UseKind::tool, "wipe"}, read{core::UseKind::tool, "read"};
    EXPECT_FALSE(gate->refuse_uses(*caller, {read}));
    EXPECT_TRUE(gate->may_use(caller)(read));
    EXPECT_FALSE(gate->may_use(caller)(wipe));
    const auto response = gate->refuse_uses(*caller, {read, wipe});
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 403);
    EXPECT_NE(challenge_of(*response).find(R"(error="insufficient_scope")"), std::string::npos);
    EXPECT_NE(challenge_of(*response).find(R"(scope="mcp files:write admin")"), std::string::npos);
    EXPECT_EQ(response->why, "the token lacks scopes; the request needs mcp files:write admin") << "for the audit";
    EXPECT_NE(challenge_of(*response).find(where), std::string::npos);
}

TEST_F(Protected, a_scope_includes_the_scopes_that_it_implies) {
    const CallerPtr caller = let_in(bearer(token(key, claims({{"scope", "mcp admin"}}))));
    EXPECT_EQ(caller->scopes, (ScopeSet{"admin", "files:read", "files:write", "mcp"}));
    EXPECT_TRUE(gate->may_use(caller)({core::UseKind::tool, "wipe"}));
    EXPECT_TRUE(gate->may_use(caller)({core::UseKind::prompt, "plan"}));
    EXPECT_FALSE(gate->may_use(caller)({core::UseKind::resource, "secret://{id}"}));
    EXPECT_TRUE(gate->may_use(caller)({core::UseKind::tool, "secret://{id}"}))
        << "the rules of resources do not apply to tools";
}

TEST_F(Protected, scope_rules_without_a_matching_feature_are_reported) {
    EXPECT_EQ(gate->scopes().idle_rules(core::Features()),
              (std::vector<std::string>{"tool `wipe`", "tool `write`", "resource `secret://{id}`", "prompt `plan`"}));
}

// ---- DPoP

TEST_F(Protected, a_bound_token_with_its_proof_is_accepted) {
    const std::string t = bound_token();
    EXPECT_TRUE(let_in(dpop(t, proof(client, t)))->dpop);
}

TEST_F(Protected, a_bound_token_without_a_proof_by_its_key_is_refused) {
    const std::string t = bound_token();
    const jose::PrivateKey thief = jose::PrivateKey::generate(jose::Algorithm::es256);
    const Response as_bearer = refused(bearer(t));
    EXPECT_EQ(as_bearer.status, 401);
    EXPECT_EQ(
        challenge_of(as_bearer),
        R"(DPoP error="invalid_token", error_description="the token is bound to a key: send it with a DPoP proof", )"
        R"(scope="mcp", )" +
            where + R"(, algs="ES256 EdDSA RS256 PS256")");
    const Response with_own_key = refused(dpop(t, proof(thief, t)));
    EXPECT_EQ(with_own_key.status, 401);
    EXPECT_NE(challenge_of(with_own_key).find(R"(DPoP error="invalid_dpop_proof")"), std::string::npos);
    EXPECT_EQ(refused("Authorization: DPoP " + t + "\r\n").status, 401);
}

TEST_F(Protected, a_replayed_proof_is_refused) {
    const std::string t = bound_token(), p = proof(client, t);
    let_in(dpop(t, p));
    for (const std::int64_t seconds : {0, 60, 120}) {
        const Response replayed = refused(dpop(t, p), seconds);
        EXPECT_EQ(replayed.status, 401);
        EXPECT_NE(challenge_of(replayed).find("was used before"), std::string::npos) << seconds;
    }
    EXPECT_NE(challenge_of(refused(dpop(t, p), 121)).find("too old"), std::string::npos);
}

TEST_F(Protected, proofs_are_refused_when_the_replay_cache_is_full) {
    ResourceServer small = options();
    small.limits.max_proofs = 1;
    open(small);
    const std::string t = bound_token();
    let_in(dpop(t, proof(client, t)));
    EXPECT_EQ(refused(dpop(t, proof(client, t, {{"jti", "two"}}))).status, 503);
}

TEST_F(Protected, an_unbound_token_with_a_proof_is_refused) {
    EXPECT_NE(challenge_of(refused(dpop(token(key), proof(client, token(key))))).find("not bound"), std::string::npos);
}

TEST_F(Protected, dpop_can_be_required) {
    ResourceServer strict = options();
    strict.dpop = ResourceServer::Dpop::required;
    open(strict);
    EXPECT_EQ(challenge_of(refused("")), R"(DPoP scope="mcp", )" + where + R"(, algs="ES256 EdDSA RS256 PS256")");
    EXPECT_NE(challenge_of(refused(bearer(token(key)))).find("not bound"), std::string::npos);
    const std::string t = bound_token();
    let_in(dpop(t, proof(client, t)));
    EXPECT_NE(gate->metadata()->document.find(R"("dpop_bound_access_tokens_required":true)"), std::string::npos);
}

TEST_F(Protected, dpop_nonces_can_be_required) {
    ResourceServer strict = options();
    strict.dpop_nonces = true;
    open(strict);
    const std::string t = bound_token();
    const Response without = refused(dpop(t, proof(client, t)));
    EXPECT_EQ(without.status, 401);
    EXPECT_NE(challenge_of(without).find(R"(error="use_dpop_nonce")"), std::string::npos);
    const std::string nonce = field(without, "DPoP-Nonce");
    EXPECT_FALSE(nonce.empty());
    EXPECT_EQ(let_in(dpop(t, proof(client, t, {{"nonce", nonce}})))->nonce, "");
    const CallerPtr later =
        let_in(dpop(t, proof(client, t, {{"nonce", nonce}, {"jti", "2"}, {"iat", start + 301}})), 301);
    EXPECT_NE(later->nonce, "") << "the caller must get the next nonce";
    EXPECT_NE(later->nonce, nonce);
}

// ---- metadata

TEST_F(Protected, metadata_path_and_document_follow_rfc_9728) {
    EXPECT_EQ(gate->metadata()->path, "/.well-known/oauth-protected-resource/mcp");
    EXPECT_EQ(
        json::parse(gate->metadata()->document).value(),
        json::parse(R"({"resource":"https://mcp.example/mcp","authorization_servers":["https://login.example/tenant"],
                              "scopes_supported":["mcp"],"bearer_methods_supported":["header"],
                              "dpop_signing_alg_values_supported":["ES256","EdDSA","RS256","PS256"]})")
            .value());
}

TEST(ResourceMetadata, url_is_derived_from_the_resource) {
    ResourceServer root{.issuer = the_issuer, .audience = "https://mcp.example:8443"};
    EXPECT_EQ(describe(root).path, "/.well-known/oauth-protected-resource");
    EXPECT_EQ(describe(root).url, "https://mcp.example:8443/.well-known/oauth-protected-resource");
    ResourceServer named{.issuer = the_issuer, .audience = "api://tools", .resource = "https://x.example/a/b"};
    named.name = "Tools";
    named.documentation = "https://x.example/docs";
    EXPECT_EQ(describe(named).url, "https://x.example/.well-known/oauth-protected-resource/a/b");
    EXPECT_NE(describe(named).document.find(R"("resource_name":"Tools")"), std::string::npos);
}

TEST(ResourceOptions, invalid_options_are_refused) {
    const ResourceServer good{.issuer = the_issuer, .audience = the_resource};
    EXPECT_NO_THROW(TokenGate(good, {}));
    const auto refused = [&](auto change) {
        ResourceServer changed = good;
        change(changed);
        EXPECT_THROW(TokenGate(changed, {}), Exception);
    };
    refused([](auto& o) { o.issuer = ""; });
    refused([](auto& o) { o.issuer = "http://login.example"; });
    refused([](auto& o) { o.issuer = "https://login.example?x"; });
    refused([](auto& o) { o.issuer = "https://login.example#x"; });
    refused([](auto& o) { o.audience = ""; });
    refused([](auto& o) { o.audience = "api://tools"; });
    refused([](auto& o) { o.jwks_uri = "http://login.example/keys"; });
    refused([](auto& o) { o.introspection = Introspection{"http://login.example/x", "a", "b"}; });
    refused([](auto& o) { o.scopes = {"two words"}; });
    refused([](auto& o) { o.needs.tools = {{"a", {"qu\"ote"}}}; });
    refused([](auto& o) { o.leeway = std::chrono::seconds(-1); });
    ResourceServer local = good;
    local.issuer = "http://127.0.0.1:9000";
    EXPECT_NO_THROW(TokenGate(local, {}));
}

// ---- static tokens

TEST(StaticTokenGate, accepts_tokens_by_their_hashes) {
    EXPECT_EQ(hash_token("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    StaticTokens tokens{{"alice", hash_token("token-of-alice")}, {"bob", hash_token("token-of-bob"), {"write"}}};
    tokens.needs.tools = {{"write", {"write"}}};
    TokenGate gate(tokens);
    const auto who = [&](std::string_view t) {
        const TokenCheck verdict = gate.checker().check(t, at(0));
        const auto* good = std::get_if<Token>(&verdict);
        return good ? good->principal : "";
    };
    EXPECT_EQ(who("token-of-alice"), "alice");
    EXPECT_EQ(who("token-of-bob"), "bob");
    EXPECT_EQ(who("token-of-eve"), "");
    EXPECT_EQ(who(hash_token("token-of-alice")), "") << "the hash of a token must not be accepted as a token";
    const Head head("POST", "/mcp");
    EXPECT_EQ(challenge_of(std::get<Response>(gate.read(head))), "Bearer");
    const auto bob = gate.admit(head, {}, std::get<Token>(gate.checker().check("token-of-bob", at(0))), at(0).wall, {});
    const auto alice =
        gate.admit(head, {}, std::get<Token>(gate.checker().check("token-of-alice", at(0))), at(0).wall, {});
    EXPECT_TRUE(gate.may_use(std::get<CallerPtr>(bob))({core::UseKind::tool, "write"}));
    EXPECT_FALSE(gate.may_use(std::get<CallerPtr>(alice))({core::UseKind::tool, "write"}));
}

TEST(StaticTokenGate, refuses_malformed_hashes) {
    for (const std::string& hash : {std::string("secret"), std::string("sha256:"), "SHA256:" + std::string(64, 'a'),
                                    "sha256:" + std::string(64, 'G'), "sha256:" + std::string(63, 'a')}) {
        EXPECT_THROW(TokenGate(StaticTokens{{"alice", hash}}), Exception) << hash;
    }
    EXPECT_THROW(TokenGate(StaticTokens{{"", hash_token("x")}}), Exception);
}

}  // namespace
}  // namespace tenon::auth
