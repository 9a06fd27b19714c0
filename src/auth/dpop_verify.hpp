// DPoP proofs (RFC 9449), as the server sees them: that the sender of a request has the key that its token is bound to.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

#include "auth/token.hpp"

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
};

/// Everything but the nonce and whether it was seen before, for which the caller has the memory. An error says what is
/// wrong, in words that are safe in a header.
Result<Proof> read_proof(std::string_view proof, const Proven& proven, WallTime now);

/// The proofs that were seen. Not thread-safe.
class ReplayCache {
 public:
    explicit ReplayCache(std::size_t max) : max_(max) {}
    enum class Seen { never, before, no_room };
    /// Remembers it until `until`, after which its age speaks against it. `no_room`: nobody can tell, so refuse it.
    Seen see(const std::string& id, double until, WallTime now);
    std::size_t size() const { return ids_.size(); }

 private:
    const std::size_t max_;
    std::unordered_set<std::string> ids_;
    std::set<std::pair<double, std::string>> ends_;  // of ids_
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
