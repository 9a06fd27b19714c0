// Caches the keys of an issuer. Fetches them when they are needed, and again when they are old or one is missing, but
// not more often than ResourceLimits::key_retry_time allows.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/auth/resource_server.hpp>

#include "auth/resource_server/token.hpp"
#include "jose/key.hpp"

namespace tenon::auth {

/// Not thread-safe.
class JwksCache {
 public:
    /// When `jwks_uri` is empty, it is read from the issuer's metadata (RFC 8414, or OpenID discovery).
    JwksCache(std::string issuer, std::string jwks_uri, ResourceLimits limits);

    struct Found {
        std::vector<jose::PublicKey> keys = {};  // keys with this id and algorithm; without an id, all of the algorithm
        bool wait = false;                       // no key was found, but a running fetch may bring one
        bool unavailable = false;                // there are no keys at all, or all are too old
    };
    /// Finds the keys that may have signed a token. May start a fetch.
    Found find(std::string_view key_id, jose::Algorithm algorithm, const Now& now);
    std::vector<FetchOrder> take_fetches() { return std::exchange(orders_, {}); }
    void fetched(Result<std::string> body, const Now& now);
    /// Returns a number that changes whenever the keys change.
    std::uint64_t generation() const { return generation_; }
    const std::string& trouble() const { return trouble_; }  // why the last fetch failed; empty after a success

    static constexpr std::string_view what = "keys";  // FetchOrder::what of its orders

 private:
    enum class Stage { idle, metadata, keys };

    void begin(const Now& now);
    void ask_metadata();
    void ask_keys(std::string url, bool named_by_issuer);
    void on_metadata(const Result<std::string>& body, const Now& now);
    void on_keys(const Result<std::string>& body, const Now& now);
    void fail(std::string why);
    std::vector<jose::PublicKey> candidates(std::string_view key_id, jose::Algorithm algorithm) const;

    const std::string issuer_, jwks_uri_;
    const ResourceLimits limits_;
    Stage stage_ = Stage::idle;
    std::vector<std::string> metadata_urls_;  // still to be tried
    std::vector<FetchOrder> orders_;
    std::vector<jose::PublicKey> keys_;
    std::optional<TimePoint> fetched_, tried_;
    std::uint64_t generation_ = 0;
    std::string trouble_;
};

/// Returns the supported keys of a JWK Set and skips the others. Fails when the text is not a JWK Set.
Result<std::vector<jose::PublicKey>> read_jwks(std::string_view text, std::size_t max_keys);

}  // namespace tenon::auth
