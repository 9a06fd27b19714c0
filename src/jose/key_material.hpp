// A key as OpenSSL has it, to and from its JWK members.
#pragma once

#include <optional>

#include "jose/key.hpp"
#include "jose/openssl.hpp"

namespace tenon::jose {

class KeyMaterial {
 public:
    explicit KeyMaterial(OwnedPkey key) : key_(std::move(key)) {}

    EVP_PKEY* get() const { return key_.get(); }
    bool fits(Algorithm algorithm) const;
    std::optional<Algorithm> usual_algorithm() const;  ///< nothing: a kind of key that we do not use
    void write_public(json::object& jwk) const;
    void write_private(json::object& jwk) const;

 private:
    bool is_p256() const;
    void write_number(json::object& jwk, const char* member, const char* parameter, int size = 0) const;

    OwnedPkey key_;
};

/// The key that the members of a JWK make, or what is wrong with them. The private parts are read when `whole`.
Result<std::shared_ptr<const KeyMaterial>> read_material(const json::object& jwk, bool whole);

}  // namespace tenon::jose
