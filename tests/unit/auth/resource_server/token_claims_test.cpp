// rules: HTTP-13
#include <gtest/gtest.h>

#include "unit/auth/resource_server/authority.hpp"

namespace tenon::auth {
namespace {

const Expected expected{the_issuer, the_resource, std::chrono::seconds(60)};

std::string why(const json::object& said) {
    const ReadToken read = read_claims(said, expected);
    const auto* bad = std::get_if<BadToken>(&read);
    return bad ? bad->why : "";
}
Token good(const json::object& said) { return std::get<Token>(read_claims(said, expected)); }
bool valid(const json::object& said, std::int64_t seconds) {
    return !check_times(good(said), expected, at(seconds).wall);
}

TEST(TokenClaims, principal_scopes_and_times_are_read) {
    const Token read = good(claims({{"scope", "mcp files:read"}, {"nbf", start - 5}}));
    EXPECT_EQ(read.principal, the_issuer + "#ada");
    EXPECT_EQ(read.scopes, (ScopeSet{"mcp", "files:read"}));
    EXPECT_EQ(read.expires, start + 300);
    EXPECT_EQ(read.not_before, start - 5);
    EXPECT_EQ(read.key, "");
}

TEST(TokenClaims, a_token_for_another_audience_is_refused) {
    for (const json::value& audience :
         {json::value("https://mcp.example/"), json::value("https://mcp.example/mcp/"), json::value("https://evil"),
          json::value(""), json::value(json::array{}), json::value(json::array{"https://evil"}), json::value(1),
          json::value(json::object{{the_resource, 1}}), json::value(nullptr)})
        EXPECT_EQ(why(claims({{"aud", audience}})), "the token is for another audience") << json::write(audience);
    EXPECT_EQ(why(claims({{"aud", json::array{"https://other", the_resource}}})), "");
}

TEST(TokenClaims, a_token_of_another_issuer_is_refused) {
    for (const json::value& issuer :
         {json::value("https://login.example/tenant/"), json::value("https://LOGIN.example/tenant"),
          json::value("https://login.example"), json::value(json::array{the_issuer}), json::value(nullptr)})
        EXPECT_EQ(why(claims({{"iss", issuer}})), "the token is of another issuer") << json::write(issuer);
}

TEST(TokenClaims, a_token_without_subject_or_expiry_is_refused) {
    EXPECT_EQ(why(claims({{"sub", nullptr}})), "the token has no subject");
    EXPECT_EQ(why(claims({{"sub", ""}})), "the token has no subject");
    EXPECT_EQ(why(claims({{"exp", nullptr}})), "the token never expires");
    EXPECT_EQ(why(claims({{"exp", "later"}})), "a time in the token is not a number");
    EXPECT_EQ(why(claims({{"nbf", json::array{}}})), "a time in the token is not a number");
}

TEST(TokenClaims, expiry_and_not_before_are_checked_with_leeway) {
    EXPECT_TRUE(valid(claims(), 0));
    EXPECT_TRUE(valid(claims(), 359));
    EXPECT_FALSE(valid(claims(), 360)) << "expired";
    EXPECT_FALSE(valid(claims({{"exp", -1.0}}), 0));
    EXPECT_TRUE(valid(claims({{"nbf", start + 60}}), 0));
    EXPECT_FALSE(valid(claims({{"nbf", start + 61}}), 0)) << "not yet valid";
    EXPECT_TRUE(valid(claims({{"exp", static_cast<double>(start) + 0.5}}), 60));
    EXPECT_FALSE(valid(claims({{"exp", static_cast<double>(start) + 0.5}}), 61));
}

TEST(TokenClaims, scopes_are_read_from_scope_or_scp) {
    EXPECT_EQ(good(claims({{"scope", nullptr}})).scopes, ScopeSet{});
    EXPECT_EQ(good(claims({{"scope", "  a  b "}})).scopes, (ScopeSet{"a", "b"}));
    EXPECT_EQ(good(claims({{"scope", nullptr}, {"scp", json::array{"a", "b", 3}}})).scopes, (ScopeSet{"a", "b"}));
    EXPECT_EQ(good(claims({{"scope", nullptr}, {"scp", "a b"}})).scopes, (ScopeSet{"a", "b"}));
}

TEST(TokenClaims, an_unknown_key_binding_is_refused) {
    EXPECT_EQ(good(claims({{"cnf", json::object{{"jkt", "abc"}}}})).key, "abc");
    for (const json::value& binding : {json::value(json::object{{"x5t#S256", "abc"}}), json::value(json::object{}),
                                       json::value(json::object{{"jkt", ""}}), json::value("abc")})
        EXPECT_NE(why(claims({{"cnf", binding}})), "") << json::write(binding);
}

json::object answer(json::object changes = {}) {
    json::object out = claims(std::move(changes));
    out["active"] = true;
    return out;
}

TEST(TokenClaims, introspection_responses_are_checked_like_jwt_claims) {
    const auto read = [](const json::object& a) { return read_introspection(a, expected); };
    const auto refused = [&](const json::object& a) { return std::holds_alternative<BadToken>(read(a)); };
    EXPECT_EQ(std::get<Token>(read(answer())).principal, the_issuer + "#ada");
    EXPECT_FALSE(refused(answer({{"iss", nullptr}})));
    EXPECT_TRUE(refused(answer({{"iss", "https://evil"}})));
    EXPECT_TRUE(refused(answer({{"aud", nullptr}})));
    EXPECT_TRUE(refused(claims()));
    for (const json::value& active : {json::value(false), json::value("true"), json::value(1)}) {
        json::object a = answer();
        a["active"] = active;
        EXPECT_TRUE(refused(a)) << json::write(active);
    }
}

TEST(TokenClaims, a_client_without_subject_gets_a_principal_of_its_own) {
    const json::object client = answer({{"sub", nullptr}, {"client_id", "ada"}});
    const auto principal = std::get<Token>(read_introspection(client, expected)).principal;
    EXPECT_EQ(principal, the_issuer + "?client=ada");
    EXPECT_NE(principal, good(claims()).principal);
    EXPECT_TRUE(std::holds_alternative<BadToken>(read_introspection(answer({{"sub", nullptr}}), expected)));
}

}  // namespace
}  // namespace tenon::auth
