// Keys that sign and verify. A key knows its algorithm, which nothing that it is shown can change: that is what makes
// "none" and a public key used as a shared secret impossible.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::jose {

enum class Algorithm { rs256, ps256, es256, eddsa };

/// "RS256", "PS256", "ES256", "EdDSA".
std::string_view name_of(Algorithm algorithm);
/// Knows "Ed25519" (RFC 9864) as another name of EdDSA. Nothing for any other name, "none" and "HS256" among them.
std::optional<Algorithm> algorithm_named(std::string_view name);

inline constexpr int min_rsa_bits = 2048, max_rsa_bits = 8192;

class KeyMaterial;  ///< what OpenSSL holds

/// Copies share the key, which never changes. Thread-safe.
class PublicKey {
 public:
    /// A JWK (RFC 7517): RSA, EC with P-256, or OKP with Ed25519. One with private parts is refused, and so is one that
    /// is for encryption. An RSA key that does not say its `alg` is for RS256.
    static Result<PublicKey> from_jwk(const json::object& jwk);

    Algorithm algorithm() const { return algorithm_; }
    const std::string& id() const { return id_; }  ///< `kid`; empty when it has none
    /// The members that make the key, with `alg`, and `kid` when it has one.
    json::object jwk() const;
    /// RFC 7638, with SHA-256, in base64url.
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

/// Copies share the key, which never changes. Thread-safe.
class PrivateKey {
 public:
    /// A new key for ES256 or EdDSA; others throw std::invalid_argument.
    static PrivateKey generate(Algorithm algorithm);
    static Result<PrivateKey> from_jwk(const json::object& jwk);
    /// PKCS#8, PKCS#1 or SEC1, not encrypted. Without an algorithm, RSA means RS256.
    static Result<PrivateKey> from_pem(std::string_view pem, std::optional<Algorithm> algorithm = std::nullopt,
                                       std::string id = {});

    Algorithm algorithm() const { return public_.algorithm(); }
    const std::string& id() const { return public_.id(); }
    const PublicKey& public_key() const { return public_; }
    /// With the private parts: a secret.
    json::object jwk() const;
    std::string sign(std::string_view message) const;

 private:
    explicit PrivateKey(PublicKey key) : public_(std::move(key)) {}

    PublicKey public_;  // its material has the private parts, which a PublicKey does not show
};

}  // namespace tenon::jose
