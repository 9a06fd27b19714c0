// Invariant: a key that is read, written and read again is the same key; a private key is refused as a public key.
// Input: a JWK, a JWK Set, or PEM.
#include "auth/resource_server/jwks_cache.hpp"
#include "jose/key.hpp"
#include "support.hpp"

namespace tenon::fuzz::jwk_target {
namespace {

using jose::PrivateKey;
using jose::PublicKey;

void check_public(const json::object& jwk) {
    const auto key = PublicKey::from_jwk(jwk);
    if (!key) return must(!key.error().message.empty(), "an error says what is wrong");
    must(!jwk.contains("d"), "a private key is refused as a public key");
    const auto again = PublicKey::from_jwk(key->jwk());
    must(again.has_value() && again->thumbprint() == key->thumbprint(), "a written key is the same key");
    must(again->algorithm() == key->algorithm() && again->id() == key->id(), "it keeps its algorithm and its id");
    must(!key->verify("text", "no signature"), "no signature does not verify");
}

void check_private(const Result<PrivateKey>& key) {
    if (!key) return must(!key.error().message.empty(), "an error says what is wrong");
    const auto again = PrivateKey::from_jwk(key->jwk());
    must(again.has_value(), "a written private key can be read");
    must(again->public_key().thumbprint() == key->public_key().thumbprint(), "a written key is the same key");
    must(!PublicKey::from_jwk(key->jwk()).has_value(), "a private key is refused as a public key");
    must(!key->public_key().jwk().contains("d"), "the public part has no private members");
}

void run(std::string_view input) {
    if (const auto keys = auth::read_jwks(input, 4)) must(keys->size() <= 4, "keys are within their limit");
    if (input.starts_with("-----")) check_private(PrivateKey::from_pem(input));
    const auto parsed = json::parse(input);
    if (!parsed || !parsed->is_object()) return;
    check_public(parsed->get_object());
    check_private(PrivateKey::from_jwk(parsed->get_object()));
}

// OpenSSL checks the numbers of an RSA key, which is much work for few bytes.
const Target target{"jwk", run, {.base_bytes = 4 << 20, .base_allocations = 40'000}};

}  // namespace
}  // namespace tenon::fuzz::jwk_target
