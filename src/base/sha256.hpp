// SHA-256 (FIPS 180-4), for digests of files. tenon::core uses it because it links no OpenSSL. Not for secrets: it is
// not hardened against side channels.
#pragma once

#include <array>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

using Sha256Digest = std::array<char, 32>;

/// Returns the digest. Uses the processor's instructions for SHA-256 if it has them.
Sha256Digest sha256(std::string_view bytes);
/// Returns the same without these instructions. Tests compare the two.
Sha256Digest sha256_portably(std::string_view bytes);

}  // namespace tenon::base

#pragma GCC visibility pop
