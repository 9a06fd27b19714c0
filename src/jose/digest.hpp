// SHA-256, and a comparison that takes as long for a near miss as for a far one.
#pragma once

#include <string>
#include <string_view>

namespace tenon::jose {

/// The 32 bytes of the digest.
std::string sha256(std::string_view bytes);

/// The time it takes depends on the lengths only, so that a secret cannot be guessed byte by byte.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace tenon::jose
