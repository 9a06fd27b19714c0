// The keys of an issuer: fetched when they are needed, again when they are old or one is missing, and not too often.
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
    /// An empty `jwks_uri` is found by the issuer's metadata (RFC 8414, or OpenID's).
    JwksCache(std::string issuer, std::string jwks_uri, ResourceLimits limits);

    struct Found {
        std::vector<jose::PublicKey> keys = {};  // candidates: those of this id and algorithm, or all of the algorithm
        bool wait = false;                       // there is none, and a fetch is under way that may bring one
        bool unavailable = false;                // no keys could be had at all, or none that are not too old
    };
    /// May begin a fetch.
    Found find(std::string_view key_id, jose::Algorithm algorithm, const Now& now);
    std::vector<FetchOrder> take_fetches() { return std::exchange(orders_, {}); }
    void fetched(Result<std::string> body, const Now& now);
    /// Changes whenever the keys do.
    std::uint64_t generation() const { return generation_; }
    const std::string& trouble() const { return trouble_; }  // why the last fetch failed; empty when it did not

    static constexpr std::string_view what = "keys";  // of its orders

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

/// The usable keys of a JWK Set; the others are left out. An error when it is none.
Result<std::vector<jose::PublicKey>> read_jwks(std::string_view text, std::size_t max_keys);

}  // namespace tenon::auth
