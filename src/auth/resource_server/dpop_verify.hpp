// DPoP proofs (RFC 9449), as the server sees them: that the sender of a request has the key that its token is bound to.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "auth/resource_server/token.hpp"
#include "base/siphash.hpp"

namespace tenon::auth {

/// What a proof must be about.
struct Proven {
    std::string_view method;
    std::vector<std::string> urls;  ///< any of them; without query and fragment
    std::string_view token;         ///< the access token itself
    std::string_view key;           ///< the thumbprint that the token is bound to
    std::chrono::seconds max_age{60}, leeway{60};
};

struct Proof {
    std::string id;     ///< `jti` and the key, hashed: the same proof again is the same id
    double issued = 0;  ///< seconds since 1970
    std::string nonce;
    std::string owner = {};  ///< the principal of the token, whose share of the memory it takes
};

/// Everything but the nonce and whether it was seen before, for which the caller has the memory. An error says what is
/// wrong, in words that are safe in a header.
Result<Proof> read_proof(std::string_view proof, const Proven& proven, WallTime now);

/// The proofs that were seen. Each owner has a share of the memory, so that one cannot fill it for all. Not
/// thread-safe.
///
/// Proofs and owners are known by a keyed hash: a client cannot choose proofs that are slow to find, or that look like
/// those of another.
class ReplayCache {
 public:
    struct Limits {
        std::size_t max;            ///< proofs of all owners
        std::size_t max_per_owner;  ///< of one
    };
    /// `key` is secret.
    ReplayCache(Limits limits, const base::SipKey& key) : limits_(limits), key_(key) {}

    enum class Seen {
        never,
        before,
        no_share,  ///< its owner has used all of its share
        no_room,   ///< the memory is full
    };
    /// Remembers it until `until`, after which its age speaks against it. A proof for which there is no room must be
    /// refused: nothing could tell whether it comes again.
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
    std::unordered_map<Hash, std::size_t> shares_;  // how many of them, by owner
    std::set<End> ends_;                            // of proofs_
};

/// Nonces without a memory: each is good for its time and the next. Thread-safe, as it never changes.
class DpopNonces {
 public:
    using Secret = std::array<std::uint8_t, 32>;
    DpopNonces(const Secret& secret, std::chrono::seconds time) : secret_(secret), time_(time) {}

    std::string current(WallTime now) const { return make(period(now)); }
    bool accepts(std::string_view nonce, WallTime now) const;

 private:
    std::int64_t period(WallTime now) const;
    std::string make(std::int64_t period) const;

    const Secret secret_;
    const std::chrono::seconds time_;
};

}  // namespace tenon::auth
