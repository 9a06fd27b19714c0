// A seal for small pieces of state that travel with a client: it can neither read nor change them, nor use them for
// something else, nor keep them for long. AES-256-GCM by OpenSSL.
//
// GCM is broken when a key is used twice with the same nonce, and random nonces of 96 bits are only good for 2^32 seals
// of one key. So each seal has a key of its own: HMAC-SHA-256 of the server's key and 128 random bits, with a random
// nonce besides. The 224 bits together do not repeat, whatever number of seals is made by whatever number of processes.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::io {

using SealKey = std::array<std::uint8_t, 32>;

/// The first key seals; all of them open, so that a key can be replaced while old seals are still on their way.
/// Thread-safe.
class Seal {
 public:
    Seal(std::vector<SealKey> keys, std::chrono::seconds lifetime) : keys_(std::move(keys)), lifetime_(lifetime) {}

    /// Text that is safe in JSON and URLs. `binding` is not in it, but must be the same when it is opened.
    std::string close(std::string_view state, std::string_view binding) const;

    struct Opened {
        std::optional<std::string> state;
        const char* why = "";  ///< when there is none: for the log, not for the client
    };
    Opened open(std::string_view sealed, std::string_view binding) const;

 private:
    std::vector<SealKey> keys_;
    std::chrono::seconds lifetime_;
};

}  // namespace tenon::io
