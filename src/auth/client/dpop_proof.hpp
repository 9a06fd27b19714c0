// The client's side of DPoP (RFC 9449): a token that is worth nothing without the key that proves each request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jose/key.hpp"
#include "web/url.hpp"

namespace tenon::auth::client {

struct ProofOf {
    std::string_view method;
    const web::Url& url;
    std::string_view access_token = {};  ///< empty at the token endpoint
    std::string_view nonce = {};         ///< the last that this server gave; empty: none
    std::int64_t now = 0;
    std::string jti = {};  ///< of each proof its own
};

/// For the header DPoP of one request.
std::string dpop_proof(const jose::PrivateKey& key, const ProofOf& of);

}  // namespace tenon::auth::client
