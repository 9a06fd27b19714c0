// Keys that sign and verify. A key has a fixed algorithm, and a token cannot change it. This prevents two known
// attacks: the algorithm "none", and a public key used as a shared secret.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::jose {

enum class Algorithm { rs256, ps256, es256, eddsa };

/// Returns "RS256", "PS256", "ES256" or "EdDSA".
std::string_view name_of(Algorithm algorithm);
/// Returns the algorithm with this name. Accepts "Ed25519" (RFC 9864) as another name of EdDSA. Returns nullopt for all
/// other names, for example "none" and "HS256".
std::optional<Algorithm> algorithm_named(std::string_view name);

inline constexpr int min_rsa_bits = 2048, max_rsa_bits = 8192;

class KeyMaterial;  ///< owns the OpenSSL key

/// A public key. Immutable and thread-safe; copies share the key.
class PublicKey {
 public:
    /// Reads a JWK (RFC 7517): RSA, EC with P-256, or OKP with Ed25519. Refuses a JWK with private parts, and a JWK for
    /// encryption. An RSA key without `alg` is for RS256.
    static Result<PublicKey> from_jwk(const json::object& jwk);

    Algorithm algorithm() const { return algorithm_; }
    const std::string& id() const { return id_; }  ///< `kid`; empty when the key has none
    /// Returns the JWK with `alg` and, if the key has one, `kid`.
    json::object jwk() const;
    /// Returns the thumbprint of RFC 7638, with SHA-256, in base64url.
    std::string thumbprint() const;
    bool verify(std::string_view message, std::string_view signature) const;

 private:
    friend class PrivateKey;
    PublicKey(std::shared_ptr<const KeyMaterial> material, Algorithm algorithm, std::string id)
        : material_(std::move(material)), algorithm_(algorithm), id_(std::move(id)) {}

    std::shared_ptr<const KeyMaterial> material_;
    Algorithm algorithm_;
    std::string id_;
};

/// A private key. Immutable and thread-safe; copies share the key.
class PrivateKey {
 public:
    /// Makes a new key for ES256 or EdDSA. Throws std::invalid_argument for other algorithms.
    static PrivateKey generate(Algorithm algorithm);
    static Result<PrivateKey> from_jwk(const json::object& jwk);
    /// Reads PKCS#8, PKCS#1 or SEC1, not encrypted. Without an algorithm, an RSA key is for RS256.
    static Result<PrivateKey> from_pem(std::string_view pem, std::optional<Algorithm> algorithm = std::nullopt,
                                       std::string id = {});

    Algorithm algorithm() const { return public_.algorithm(); }
    const std::string& id() const { return public_.id(); }
    const PublicKey& public_key() const { return public_; }
    /// Returns the JWK with its private parts: a secret.
    json::object jwk() const;
    std::string sign(std::string_view message) const;

 private:
    explicit PrivateKey(PublicKey key) : public_(std::move(key)) {}

    PublicKey public_;  // its material includes the private parts, which PublicKey never reveals
};

}  // namespace tenon::jose
