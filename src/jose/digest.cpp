#include "jose/digest.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "jose/openssl.hpp"

namespace tenon::jose {

std::string sha256(std::string_view bytes) {
    std::string digest(32, '\0');
    must(EVP_Digest(bytes.data(), bytes.size(), octets(digest), nullptr, EVP_sha256(), nullptr) == 1, "SHA-256");
    return digest;
}

bool same_secret(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tenon::jose
