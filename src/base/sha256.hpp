// SHA-256 (FIPS 180-4), for digests of files. tenon::core uses it because it links no OpenSSL. Not for secrets: it is
// not hardened against side channels.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

/// Returns the 32 bytes of the digest.
std::string sha256(std::string_view bytes);

}  // namespace tenon::base

#pragma GCC visibility pop
