#include "auth/client/dpop_proof.hpp"

#include "base/base64.hpp"
#include "jose/digest.hpp"
#include "jose/jws.hpp"

namespace tenon::auth::client {

std::string dpop_proof(const jose::PrivateKey& key, const ProofOf& of) {
    web::Url target = of.url;
    target.target = target.target.substr(0, target.target.find('?'));
    json::object claims{{"jti", of.jti}, {"htm", of.method}, {"htu", target.text()}, {"iat", of.now}};
    if (!of.access_token.empty()) claims["ath"] = base::base64url_encode(jose::sha256(of.access_token));
    if (!of.nonce.empty()) claims["nonce"] = of.nonce;
    json::object jwk = key.public_key().jwk();
    jwk.erase("alg");
    jwk.erase("kid");
    return jose::sign(key, {{"typ", "dpop+jwt"}, {"jwk", std::move(jwk)}}, json::write(claims));
}

}  // namespace tenon::auth::client
