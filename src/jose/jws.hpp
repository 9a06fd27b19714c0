// JSON Web Signatures in the compact form (RFC 7515): header.payload.signature.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

#include "jose/key.hpp"

namespace tenon::jose {

inline constexpr std::size_t max_jws_bytes = 16 * 1024;  ///< size of a token that is parsed
inline constexpr std::size_t max_jws_depth = 16;         ///< nesting of the JSON in its header

/// A token that was parsed but not verified. Only verify() gives access to its payload.
class UnverifiedJws {
 public:
    /// Parses strictly: three parts of canonical base64url, a header that is an object without duplicate members, no
    /// `crit`.
    static Result<UnverifiedJws> parse(std::string_view token);

    const json::object& header() const { return header_; }
    std::string_view text(std::string_view member) const;  ///< a header member; empty when missing or not a string

 private:
    friend Result<std::string> verify(const PublicKey& key, const UnverifiedJws& token);
    json::object header_;
    std::string signed_part_, payload_, signature_;
};

/// Returns the payload if it was signed with this key. The `alg` in the header must be the key's algorithm.
Result<std::string> verify(const PublicKey& key, const UnverifiedJws& token);

/// Signs a payload. Adds the key's `alg` and, if it has one, its `kid` to `header`.
std::string sign(const PrivateKey& key, json::object header, std::string_view payload);

}  // namespace tenon::jose
