// Encrypts small pieces of state that a client keeps for the server. The client cannot read or change them, or use them
// for another request. They expire. AES-256-GCM by OpenSSL.
//
// GCM is broken when a key is used twice with the same nonce. Random nonces of 96 bits are safe for only 2^32 messages
// with one key. So each message has a key of its own: HMAC-SHA-256 of the server's key and 128 random bits. It also has
// a random nonce. These 224 random bits do not repeat, even with many messages and many processes.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::jose {

using SealKey = std::array<std::uint8_t, 32>;

/// Seals with the first key and opens with all keys, so that a key can be replaced while older seals are still valid.
/// Thread-safe. Times are those of the system clock, rounded down to seconds.
class Seal {
 public:
    using Time = std::chrono::system_clock::time_point;

    /// There must be at least one key.
    explicit Seal(std::vector<SealKey> keys) : keys_(std::move(keys)) {}

    /// Encrypts a state to text that is safe in JSON and URLs. `binding` is not part of the text, but open() needs the
    /// same `binding`.
    std::string close(std::string_view state, std::string_view binding, Time expires) const;

    struct Opened {
        std::optional<std::string> state;
        const char* why = "";  ///< the reason when there is no state; for the log, not for the client
    };
    Opened open(std::string_view sealed, std::string_view binding, Time now) const;

 private:
    std::vector<SealKey> keys_;
};

}  // namespace tenon::jose
