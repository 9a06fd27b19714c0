// The keys that several nodes share, and how they are replaced. Pure: the store, the clock and the random numbers are
// those of the caller.
//
// A new key is published first and used later (RingTimes::lead), so every node knows it before any node seals with it.
// An old key is dropped when everything that was sealed with it has expired.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/siphash.hpp"
#include "jose/request_state_seal.hpp"

namespace tenon::jose {

/// A time by the clock of the store, since 1970.
using RingTime = std::chrono::milliseconds;

struct RingKey {
    std::uint32_t id = 0;  ///< random, so keys of two rings differ
    RingTime made{};
    RingTime seals_from{};  ///< no node seals with it before
    SealKey secret = {};    ///< other keys are derived from it; it seals nothing itself
    bool operator==(const RingKey&) const = default;
};

/// When keys come and go.
struct RingTimes {
    RingTime rotation;  ///< between two keys
    RingTime lifetime;  ///< of what is sealed with a key, at most
    /// Returns the time between the publication of a key and its first use.
    RingTime lead() const;
    /// Returns how often a node reads the ring: several times while a new key is not used yet.
    RingTime refresh() const { return lead() / 4; }
};

/// The keys, oldest first. A value.
class KeyRing {
 public:
    static constexpr std::size_t max_keys = 64;  ///< a full ring gets no new key until it may drop one

    KeyRing() = default;

    std::string encode() const;
    /// Returns nullopt for bytes that encode() did not make.
    static std::optional<KeyRing> decode(std::string_view bytes);

    const std::vector<RingKey>& keys() const { return keys_; }
    /// Returns all keys that open, also those of replacing().
    std::vector<RingKey> all() const;
    const RingKey* find(std::uint32_t id) const;
    /// Returns the key that seals at this time. The ring must have a key.
    const RingKey& sealing(RingTime now) const;

    /// Returns whether it is time for a new key.
    bool rotation_due(RingTime now, const RingTimes& times) const;
    /// Returns the ring with a new key, and without the keys that have had their time.
    KeyRing rotated(RingTime now, const RingTimes& times, std::uint32_t id, const SealKey& secret) const;
    /// Returns this ring for a node that had an older one. If the store has lost that ring and got a new one, they have
    /// no key in common: then the older keys still open, because what was sealed with them should stay valid.
    KeyRing replacing(const KeyRing& older) const;

 private:
    bool has_had_its_time(std::size_t index, RingTime now, const RingTimes& times) const;

    std::vector<RingKey> keys_;
    std::vector<RingKey> others_;  // of a lost ring; they only open
};

/// Derive the keys for one purpose each.
SealKey state_key_of(const SealKey& secret);
base::SipKey cursor_key_of(const SealKey& secret);
SealKey nonce_key_of(const SealKey& secret);

/// Writes and reads a sealed state with the id of its key: "k0000002a.STATE".
std::string with_key_id(std::uint32_t id, std::string_view sealed);
struct KeyedState {
    std::uint32_t id;
    std::string_view sealed;
};
std::optional<KeyedState> split_key_id(std::string_view text);

}  // namespace tenon::jose
