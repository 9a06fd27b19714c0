// Verifies DPoP proofs (RFC 9449): the sender of a request must have the key that its token is bound to.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "auth/resource_server/token.hpp"
#include "base/siphash.hpp"

namespace tenon::auth {

/// The values that a proof must match.
struct Proven {
    std::string_view method;
    std::vector<std::string> urls;  ///< one of them must match, without query and fragment
    std::string_view token;         ///< the access token itself
    std::string_view key;           ///< the thumbprint that the token is bound to
    std::chrono::seconds max_age{60}, leeway{60};
};

struct Proof {
    std::string id;     ///< hash of `jti` and the key; equal for a repeated proof
    double issued = 0;  ///< seconds since 1970
    std::string nonce;
    std::string owner = {};  ///< the principal of the token; the proof counts against its share of the ReplayCache
};

/// Reads and verifies a proof, except for its nonce and replays: the caller checks those. The text of an error is safe
/// in a header.
Result<Proof> read_proof(std::string_view proof, const Proven& proven, WallTime now);

/// Remembers the proofs that were used, to detect replays. Each owner has a share of the memory, so that one owner
/// cannot fill it for all. Not thread-safe.
///
/// Stores only keyed hashes of proofs and owners. So a client cannot choose proofs that make the table slow, or that
/// collide with those of another client.
class ReplayCache {
 public:
    struct Limits {
        std::size_t max;            ///< proofs of all owners
        std::size_t max_per_owner;  ///< proofs of one owner
    };
    /// `key` must be secret.
    ReplayCache(Limits limits, const base::SipKey& key) : limits_(limits), key_(key) {}

    enum class Seen {
        never,
        before,
        no_share,  ///< the owner has used up its share
        no_room,   ///< the memory is full
    };
    /// Remembers a proof until `until`; after that it is refused for its age. A proof that cannot be remembered must be
    /// refused, because a replay could not be detected.
    Seen see(const Proof& proof, double until, WallTime now);
    std::size_t size() const { return proofs_.size(); }

 private:
    using Hash = std::uint64_t;
    struct End {
        double at;
        Hash proof, owner;
        auto operator<=>(const End&) const = default;
    };
    void forget_until(double seconds);

    const Limits limits_;
    const base::SipKey key_;
    std::unordered_set<Hash> proofs_;
    std::unordered_map<Hash, std::size_t> shares_;  // number of proofs, by owner
    std::set<End> ends_;                            // when each of proofs_ is forgotten
};

/// Makes and checks nonces without storing them. Each nonce is valid for its own period and the next one. Thread-safe,
/// if its source of secrets is.
class DpopNonces {
 public:
    using Secret = std::array<std::uint8_t, 32>;
    /// Returns the secrets, at least one. The first one makes nonces, all are accepted.
    using Secrets = std::function<std::vector<Secret>()>;
    DpopNonces(const Secret& secret, std::chrono::seconds time)
        : DpopNonces([secret] { return std::vector{secret}; }, time) {}
    DpopNonces(Secrets secrets, std::chrono::seconds time) : secrets_(std::move(secrets)), time_(time) {}

    std::string current(WallTime now) const { return make(secrets_().front(), period(now)); }
    bool accepts(std::string_view nonce, WallTime now) const;

 private:
    std::int64_t period(WallTime now) const;
    static std::string make(const Secret& secret, std::int64_t period);

    const Secrets secrets_;
    const std::chrono::seconds time_;
};

}  // namespace tenon::auth
