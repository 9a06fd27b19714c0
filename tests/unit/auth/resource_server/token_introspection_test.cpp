// rules: HTTP-13
#include "auth/resource_server/token_introspection.hpp"

#include <gtest/gtest.h>

#include "unit/auth/resource_server/authority.hpp"

namespace tenon::auth {
namespace {

struct Introspected : testing::Test {
    static ResourceServer options() {
        ResourceServer out{.issuer = the_issuer, .audience = the_resource};
        out.introspection = Introspection{"https://login.example/introspect", "me", "s:1/%"};
        return out;
    }
    std::string ask(std::string_view text, const Now& now) {
        const TokenCheck verdict = checker->check(text, now);
        if (const auto* good = std::get_if<Token>(&verdict)) return good->principal;
        if (const auto* bad = std::get_if<BadToken>(&verdict)) return bad->why;
        if (const auto* failed = std::get_if<CannotCheck>(&verdict)) return "cannot: " + failed->why;
        return "wait";
    }
    static std::string yes(json::object changes = {}) {
        json::object out = claims(std::move(changes));
        out["active"] = true;
        return json::write(out);
    }
    std::string what(std::string_view text, const Now& now) {
        return std::get<WaitFor>(checker->check(text, now)).what;
    }
    std::unique_ptr<TokenChecker> checker = make_introspection_checker(options());
};

TEST_F(Introspected, concurrent_requests_with_one_token_share_one_introspection) {
    const std::string waits = what("t+1", at(0));
    EXPECT_EQ(what("t+1", at(0)), waits);
    const auto orders = checker->take_fetches();
    ASSERT_EQ(orders.size(), 1U);
    EXPECT_EQ(orders[0].what, waits);
    EXPECT_EQ(orders[0].method, "POST");
    EXPECT_EQ(orders[0].url, "https://login.example/introspect");
    EXPECT_EQ(orders[0].body, "token=t%2B1&token_type_hint=access_token");
    EXPECT_EQ(orders[0].fields.at(1).second, "Basic " + base::base64_encode("me:s%3A1%2F%25"));
    EXPECT_EQ(waits.find("t+1"), std::string::npos) << "the key of the wait must not contain the token";
}

TEST_F(Introspected, a_token_that_may_not_wait_starts_no_introspection) {
    PresentedToken token("t");
    token.may_wait = false;
    EXPECT_TRUE(std::holds_alternative<CannotCheck>(checker->look(token, at(0))));
    EXPECT_TRUE(checker->take_fetches().empty());
    token.may_wait = true;
    EXPECT_TRUE(std::holds_alternative<WaitFor>(checker->look(token, at(0))));
    EXPECT_EQ(checker->take_fetches().size(), 1U);
}

TEST_F(Introspected, a_request_with_a_place_is_not_refused_because_of_abandoned_introspections) {
    const auto look = [&](int i, bool place) {
        const std::string text = "t" + std::to_string(i);
        PresentedToken token(text);
        token.may_wait = place;
        return checker->look(token, at(0));
    };
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(std::holds_alternative<WaitFor>(look(i, true)));
    EXPECT_TRUE(std::holds_alternative<CannotCheck>(look(1000, false)));
    EXPECT_TRUE(std::holds_alternative<WaitFor>(look(1001, true)));
}

TEST_F(Introspected, an_introspection_result_is_cached_for_30_seconds) {
    const std::string waits = what("t", at(0));
    checker->take_fetches();
    checker->fetched(waits, yes(), at(0));
    EXPECT_EQ(ask("t", at(0)), the_issuer + "#ada");
    EXPECT_EQ(ask("t", at(29)), the_issuer + "#ada");
    EXPECT_EQ(ask("t", at(30)), "wait");
    EXPECT_EQ(checker->take_fetches().size(), 1U);
}

TEST_F(Introspected, an_inactive_token_is_refused) {
    const std::string waits = what("t", at(0));
    checker->fetched(waits, std::string(R"({"active":false})"), at(0));
    EXPECT_EQ(ask("t", at(1)), "the token is expired, revoked, or was never given out");
}

TEST_F(Introspected, a_cached_token_still_expires) {
    const std::string waits = what("t", at(0));
    checker->fetched(waits, yes({{"exp", start - 50}}), at(0));
    EXPECT_EQ(ask("t", at(9)), the_issuer + "#ada");
    EXPECT_EQ(ask("t", at(10)), "the token is expired");
}

TEST_F(Introspected, a_failure_is_reported_to_all_waiting_requests_and_not_cached) {
    for (const Result<std::string>& failure :
         {Result<std::string>(Error{1, "it is down"}), Result<std::string>("[]")}) {
        checker = make_introspection_checker(options());
        const std::string waits = what("t", at(0));
        checker->take_fetches();
        checker->fetched(waits, failure, at(0));
        EXPECT_TRUE(ask("t", at(0)).starts_with("cannot: "));
        EXPECT_TRUE(ask("t", at(0)).starts_with("cannot: "));
        EXPECT_TRUE(checker->take_fetches().empty());
        EXPECT_EQ(ask("t", at(1)), "wait");
    }
}

TEST_F(Introspected, the_number_of_pending_introspections_is_limited) {
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(ask("t" + std::to_string(i), at(0)), "wait");
    EXPECT_EQ(ask("one more", at(0)), "cannot: too many tokens wait for introspection");
}

TEST_F(Introspected, a_flood_of_invalid_tokens_does_not_evict_a_valid_one) {
    ResourceServer small = options();
    small.limits.max_cached_tokens = 2;
    checker = make_introspection_checker(small);
    checker->fetched(what("good", at(0)), yes(), at(0));
    for (int i = 0; i < 10; ++i)
        checker->fetched(what("bad" + std::to_string(i), at(0)), std::string(R"({"active":false})"), at(0));
    EXPECT_EQ(ask("good", at(1)), the_issuer + "#ada");
    EXPECT_EQ(ask("bad9", at(1)), "the token is expired, revoked, or was never given out") << "is still cached";
    EXPECT_EQ(ask("bad0", at(1)), "wait") << "was evicted by later ones";
}

TEST_F(Introspected, a_full_cache_evicts_the_token_that_was_not_used_for_the_longest_time) {
    ResourceServer small = options();
    small.limits.max_cached_tokens = 2;
    checker = make_introspection_checker(small);
    for (const char* token : {"a", "b"}) checker->fetched(what(token, at(0)), yes(), at(0));
    EXPECT_EQ(ask("a", at(1)), the_issuer + "#ada");
    checker->fetched(what("c", at(1)), yes(), at(1));
    EXPECT_EQ(ask("a", at(1)), the_issuer + "#ada");
    EXPECT_EQ(ask("b", at(1)), "wait");
}

}  // namespace
}  // namespace tenon::auth
