// An authorisation server for the tests: a key, tokens, and the time.
#pragma once

#include <string>

#include "auth/resource_server/token.hpp"
#include "base/base64.hpp"
#include "jose/digest.hpp"
#include "jose/jws.hpp"
#include "jose/key.hpp"

namespace tenon::auth {

inline const std::string the_issuer = "https://login.example/tenant";
inline const std::string the_resource = "https://mcp.example/mcp";

constexpr std::int64_t start = 1'800'000'000;  // seconds since 1970
inline Now at(std::int64_t seconds) {
    return {WallTime(std::chrono::seconds(start + seconds)), TimePoint(std::chrono::seconds(1'000'000 + seconds))};
}

inline jose::PrivateKey new_key(std::string id = "k1", jose::Algorithm algorithm = jose::Algorithm::es256) {
    json::object jwk = jose::PrivateKey::generate(algorithm).jwk();
    jwk["kid"] = id;
    return jose::PrivateKey::from_jwk(jwk).value();
}

inline std::string jwks(std::initializer_list<jose::PublicKey> keys) {
    json::array list;
    for (const auto& key : keys) list.push_back(key.jwk());
    return json::write(json::object{{"keys", std::move(list)}});
}

inline json::object claims(json::object changes = {}) {
    json::object out{
        {"iss", the_issuer}, {"aud", the_resource}, {"sub", "ada"}, {"exp", start + 300}, {"scope", "mcp"}};
    for (auto& [name, value] : changes) {
        if (value.is_null()) {
            out.erase(name);
        } else {
            out[name] = value;
        }
    }
    return out;
}

inline std::string token(const jose::PrivateKey& key, const json::object& said = claims(), json::object header = {}) {
    if (!header.contains("typ")) header["typ"] = "at+jwt";
    return jose::sign(key, std::move(header), json::write(said));
}

/// Makes a DPoP proof for a POST to the resource. A change to null removes the claim.
inline std::string proof(const jose::PrivateKey& key, std::string_view access_token, json::object changes = {},
                         json::object header = {}) {
    json::object said{{"htm", "POST"},
                      {"htu", the_resource},
                      {"iat", start},
                      {"jti", "one"},
                      {"ath", base::base64url_encode(jose::sha256(access_token))}};
    for (auto& [name, value] : changes) {
        if (value.is_null()) {
            said.erase(name);
        } else {
            said[name] = value;
        }
    }
    if (!header.contains("typ")) header["typ"] = "dpop+jwt";
    if (!header.contains("jwk")) {
        header["jwk"] = key.public_key().jwk();
        header["jwk"].as_object().erase("kid");
        header["jwk"].as_object().erase("alg");
    }
    return jose::sign(key, std::move(header), json::write(said));
}

}  // namespace tenon::auth
