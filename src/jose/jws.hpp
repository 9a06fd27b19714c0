// Signed text in its compact form (RFC 7515): header.payload.signature.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

#include "jose/key.hpp"

namespace tenon::jose {

inline constexpr std::size_t max_jws_bytes = 16 * 1024;  ///< of a token that is read
inline constexpr std::size_t max_jws_depth = 16;         ///< of the JSON in its header

/// A token that was taken apart and not verified: its payload can be had from verify() only.
class UnverifiedJws {
 public:
    /// Strict: three parts of canonical base64url, a header that is an object without duplicate members, no `crit`.
    static Result<UnverifiedJws> parse(std::string_view token);

    const json::object& header() const { return header_; }
    std::string_view text(std::string_view member) const;  ///< of the header; empty when it is missing or no string

 private:
    friend Result<std::string> verify(const PublicKey& key, const UnverifiedJws& token);
    json::object header_;
    std::string signed_part_, payload_, signature_;
};

/// The payload, if it was signed with this key by the key's algorithm; the header has to agree with that.
Result<std::string> verify(const PublicKey& key, const UnverifiedJws& token);

/// `header` gets the key's `alg`, and its `kid` when it has one.
std::string sign(const PrivateKey& key, json::object header, std::string_view payload);

}  // namespace tenon::jose
