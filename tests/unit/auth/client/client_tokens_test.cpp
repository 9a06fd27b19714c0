#include "auth/client/client_tokens.hpp"

#include <gtest/gtest.h>

#include <tenon/auth/error.hpp>

namespace tenon::auth::client {
namespace {

constexpr std::int64_t now = 1'800'000'000;

struct ClientTokensTest : testing::Test {
    std::shared_ptr<Profile> profile = std::make_shared<Profile>();
    ClientTokens tokens{profile, 2};
    const web::Url server = web::parse_url("https://mcp.example/mcp").value();

    static Record record(const std::string& token, std::int64_t expires_in = 100) {
        Record out;
        out.tokens = {.access_token = token, .refresh_token = "refresh-" + token, .expires_at = now + expires_in};
        return out;
    }
    web::OwnFields fields(std::int64_t when = now) const {
        return tokens.fields("POST", server, when, [] { return std::string("id"); });
    }
    RefusedRequest refused(int status, const std::string& challenge = "Bearer") const {
        return {status, parse_challenges(challenge), tokens.generation()};
    }
    static RefusedRequest wants(const std::string& scope, std::uint64_t generation) {
        return {403, parse_challenges("Bearer error=\"insufficient_scope\", scope=\"" + scope + "\""), generation};
    }
};

TEST_F(ClientTokensTest, a_request_carries_the_token_until_it_expires) {
    EXPECT_TRUE(fields().empty());
    tokens.use(record("one"));
    EXPECT_EQ(fields(), (web::OwnFields{{"Authorization", "Bearer one"}}));
    EXPECT_TRUE(fields(now + 100).empty());
}

TEST_F(ClientTokensTest, a_token_is_not_sent_to_an_unsafe_url) {
    tokens.use(record("one"));
    const web::Url plain = web::parse_url("http://mcp.example/mcp").value();
    EXPECT_TRUE(tokens.fields("POST", plain, now, [] { return std::string("id"); }).empty());
}

TEST_F(ClientTokensTest, tokens_are_refreshed_half_a_minute_before_they_expire) {
    tokens.use(record("one"));
    EXPECT_FALSE(tokens.should_refresh(now + 69));
    EXPECT_TRUE(tokens.should_refresh(now + 70));
    Record without = record("one");
    without.tokens.refresh_token.clear();
    tokens.use(without);
    EXPECT_FALSE(tokens.should_refresh(now + 70));
}

TEST_F(ClientTokensTest, the_generation_grows_only_with_a_new_access_token) {
    tokens.use(record("one"));
    const std::uint64_t before = tokens.generation();
    tokens.use(record("one", 200));
    EXPECT_EQ(tokens.generation(), before);
    tokens.use(record("two"));
    EXPECT_EQ(tokens.generation(), before + 1);
}

TEST_F(ClientTokensTest, a_new_token_that_is_refused_is_hopeless_unless_it_came_from_a_refresh) {
    tokens.signed_in(record("one"), {}, false);
    EXPECT_TRUE(tokens.hopeless(refused(401)));
    tokens.begin(refused(401));
    EXPECT_EQ(tokens.record().tokens.refresh_token, "");
    tokens.signed_in(record("two"), {}, true);
    EXPECT_FALSE(tokens.hopeless(refused(401)));
    tokens.signed_in(record("three"), {}, false);
    tokens.accepted(tokens.generation());
    EXPECT_FALSE(tokens.hopeless(refused(401)));
}

TEST_F(ClientTokensTest, a_scope_that_was_requested_before_is_not_requested_again) {
    tokens.signed_in(record("one"), {"read"}, false);
    EXPECT_TRUE(tokens.hopeless(wants("read", tokens.generation())));
    EXPECT_FALSE(tokens.hopeless(wants("write", tokens.generation())));
}

TEST_F(ClientTokensTest, more_scopes_are_requested_a_few_times_at_most) {
    tokens.begin(wants("a", 0));
    tokens.signed_in(record("one"), {"a"}, false);
    tokens.begin(wants("b", tokens.generation()));
    EXPECT_TRUE(tokens.hopeless(wants("c", tokens.generation()))) << "max_step_ups";
}

TEST_F(ClientTokensTest, scopes_may_be_requested_again_when_the_authorisation_server_gave_no_answer) {
    for (int i = 0; i < 5; ++i) {
        tokens.begin(wants("write", tokens.generation()));
        tokens.failed(record("one"), {"write"}, {code::not_authorised, "cannot connect"});
    }
    tokens.begin(wants("write", tokens.generation()));
    tokens.failed(record("one"), {"write"},
                  {code::not_authorised, "no", json::object{{"oauthError", "temporarily_unavailable"}}});
    EXPECT_FALSE(tokens.hopeless(wants("write", tokens.generation())));
    tokens.begin(wants("write", tokens.generation()));
    tokens.failed(record("one"), {"write"},
                  {code::not_authorised, "no", json::object{{"oauthError", "access_denied"}}});
    EXPECT_TRUE(tokens.hopeless(wants("write", tokens.generation())));
}

TEST_F(ClientTokensTest, signing_in_helps_only_after_oauth_refusals) {
    EXPECT_TRUE(tokens.can_help(refused(401)));
    EXPECT_FALSE(tokens.can_help(refused(401, "Basic")));
    EXPECT_FALSE(tokens.can_help(refused(403)));
    EXPECT_TRUE(tokens.can_help(wants("write", 0)));
    EXPECT_FALSE(tokens.can_help(refused(500)));
}

TEST_F(ClientTokensTest, a_request_for_a_nonce_can_be_repeated_when_the_nonce_is_known) {
    const auto asks = refused(401, "DPoP error=\"use_dpop_nonce\"");
    EXPECT_FALSE(tokens.wants_nonce(asks));
    tokens.saw_nonce(std::string(2000, 'n'));  // too long
    EXPECT_FALSE(tokens.wants_nonce(asks));
    tokens.saw_nonce("nonce");
    EXPECT_TRUE(tokens.wants_nonce(asks));
}

}  // namespace
}  // namespace tenon::auth::client
