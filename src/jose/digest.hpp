// SHA-256, and a comparison of secrets in constant time.
#pragma once

#include <string>
#include <string_view>

namespace tenon::jose {

/// Returns the 32 bytes of the digest.
std::string sha256(std::string_view bytes);

/// Returns whether two secrets are equal. The time depends only on the lengths, so a secret cannot be guessed byte by
/// byte.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace tenon::jose
