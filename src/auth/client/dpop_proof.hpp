// The client's side of DPoP (RFC 9449): a bound token can be used only with the key that signs a proof for each
// request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jose/key.hpp"
#include "web/url.hpp"

namespace tenon::auth::client {

/// The request that a proof is for.
struct ProofOf {
    std::string_view method;
    const web::Url& url;
    std::string_view access_token = {};  ///< empty at the token endpoint
    std::string_view nonce = {};         ///< the last nonce of this server; empty: none
    std::int64_t now = 0;                ///< seconds since 1970
    std::string jti = {};                ///< must be different for each proof
};

/// Makes the value of the DPoP header for one request.
std::string dpop_proof(const jose::PrivateKey& key, const ProofOf& of);

}  // namespace tenon::auth::client
