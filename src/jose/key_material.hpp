// Converts keys between OpenSSL and JWK.
#pragma once

#include <optional>

#include "jose/key.hpp"
#include "jose/openssl.hpp"

namespace tenon::jose {

/// Owns an OpenSSL key. Immutable, so thread-safe.
class KeyMaterial {
 public:
    explicit KeyMaterial(OwnedPkey key) : key_(std::move(key)) {}

    EVP_PKEY* get() const { return key_.get(); }
    bool fits(Algorithm algorithm) const;
    std::optional<Algorithm> usual_algorithm() const;  ///< nullopt for an unsupported kind of key
    void write_public(json::object& jwk) const;
    void write_private(json::object& jwk) const;

 private:
    bool is_p256() const;
    void write_number(json::object& jwk, const char* member, const char* parameter, int size = 0) const;

    OwnedPkey key_;
};

/// Reads the key from the members of a JWK. With `whole`, reads the private parts too.
Result<std::shared_ptr<const KeyMaterial>> read_material(const json::object& jwk, bool whole);

}  // namespace tenon::jose
