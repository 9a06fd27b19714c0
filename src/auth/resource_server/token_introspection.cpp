#include "auth/resource_server/token_introspection.hpp"

#include "auth/form.hpp"
#include "auth/parse_object.hpp"
#include "auth/resource_server/token_cache.hpp"
#include "base/base64.hpp"
#include "base/uri_encode.hpp"

namespace tenon::auth {
namespace {

constexpr Duration least_time = std::chrono::seconds(1);  // the shortest time for which a result or failure is kept

class IntrospectionChecker final : public TokenChecker {
 public:
    explicit IntrospectionChecker(const ResourceServer& options)
        : endpoint_(*options.introspection),
          expected_{options.issuer, options.audience, options.leeway},
          limits_(options.limits),
          valid_(options.limits.max_cached_tokens),
          refused_(options.limits.max_cached_tokens) {}

    Step look(const PresentedToken& token, const Now& now) override {
        const std::string& key = token.hash;
        for (TokenCache* cache : {&valid_, &refused_})
            if (const TokenCache::Known* known = cache->find(key, now.steady)) return settle(*known, now);
        if (!asking_.contains(key)) {
            if (!may_ask(token)) return CannotCheck{"too many tokens wait for introspection"};
            asking_.insert(key);
            orders_.push_back(order(key, token.text));
        }
        return WaitFor{key};
    }
    std::vector<FetchOrder> take_fetches() override { return std::exchange(orders_, {}); }

    void fetched(std::string_view what, Result<std::string> body, const Now& now) override {
        const std::string key(what);
        asking_.erase(key);
        // The waiting requests are checked again right after this, so the result is kept for a moment even if
        // cache_time is 0.
        const Duration believed = std::max<Duration>(endpoint_.cache_time, least_time);
        const auto answer = body ? client::parse_object(*body, "the answer") : Result<json::object>(body.error());
        if (!answer) {
            const CannotCheck failed{"the introspection of a token failed: " + answer.error().message};
            return refused_.remember(key, failed, later(now.steady, least_time));
        }
        auto known = std::visit([](auto one) { return TokenCache::Known(std::move(one)); },
                                read_introspection(*answer, expected_));
        TokenCache& cache = std::holds_alternative<Token>(known) ? valid_ : refused_;
        cache.remember(key, std::move(known), later(now.steady, believed));
    }

 private:
    // A request that has a place in the queue may ask. It may have replaced another request, whose introspection still
    // runs. The number of such introspections is at most the number of places.
    bool may_ask(const PresentedToken& token) const {
        if (!token.may_wait) return asking_.size() < limits_.max_waiting;
        return *token.may_wait && asking_.size() < 2 * limits_.max_waiting;
    }
    FetchOrder order(const std::string& key, std::string_view token) const {
        const std::string secret = base::base64_encode(base::encode_unreserved(endpoint_.client_id) + ":" +
                                                       base::encode_unreserved(endpoint_.client_secret));
        client::Form form;
        form.add("token", token);
        form.add("token_type_hint", "access_token");
        return {.what = key,
                .method = "POST",
                .url = endpoint_.endpoint,
                .fields = {{"Accept", "application/json"},
                           {"Authorization", "Basic " + secret},
                           {"Content-Type", "application/x-www-form-urlencoded"}},
                .body = form.text()};
    }
    Step settle(const TokenCache::Known& known, const Now& now) const {
        if (const auto* token = std::get_if<Token>(&known))
            if (auto bad = check_times(*token, expected_, now.wall)) return *std::move(bad);
        return std::visit([](const auto& one) { return Step(one); }, known);
    }

    const Introspection endpoint_;
    const Expected expected_;
    const ResourceLimits limits_;
    // Two caches, because anybody can send invalid tokens: they must not push out the results of valid ones.
    TokenCache valid_, refused_;
    std::set<std::string> asking_;  // hashes of the tokens that are being asked about
    std::vector<FetchOrder> orders_;
};

}  // namespace

std::unique_ptr<TokenChecker> make_introspection_checker(const ResourceServer& options) {
    return std::make_unique<IntrospectionChecker>(options);
}

}  // namespace tenon::auth
