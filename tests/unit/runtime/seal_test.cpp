// Seals: what opens them, what does not, and that each has its own key and nonce.
#include "io/seal.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <set>

#include "base/base64.hpp"

namespace tenon::io {
namespace {

constexpr std::size_t salt_size = 16, nonce_size = 12, overhead = 1 + salt_size + nonce_size + 8 + 16;

SealKey key_of(std::uint8_t n) {
    SealKey key{};
    key[0] = n;
    return key;
}

std::string raw(const std::string& sealed) { return base::base64url_decode(sealed).value(); }

TEST(Seal, opens_only_with_its_key_and_binding_before_it_expires) {
    const Seal seal({key_of(1)}, std::chrono::seconds(60));
    const std::string sealed = seal.close("state", "tools/call");
    EXPECT_EQ(seal.open(sealed, "tools/call").state, "state");
    EXPECT_FALSE(seal.open(sealed, "prompts/get").state);
    EXPECT_FALSE(Seal({key_of(2)}, std::chrono::seconds(60)).open(sealed, "tools/call").state);
    EXPECT_EQ(Seal({key_of(2), key_of(1)}, std::chrono::seconds(60)).open(sealed, "tools/call").state, "state");
    EXPECT_FALSE(Seal({key_of(1)}, std::chrono::seconds(-60))
                     .open(Seal({key_of(1)}, std::chrono::seconds(-60)).close("state", ""), "")
                     .state);
}

TEST(Seal, a_changed_or_missing_byte_is_detected) {
    const Seal seal({key_of(1)}, std::chrono::seconds(60));
    const std::string whole = raw(seal.close("state", "b"));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        EXPECT_FALSE(seal.open(base::base64url_encode(changed), "b").state) << i;
        EXPECT_FALSE(seal.open(base::base64url_encode(whole.substr(0, i)), "b").state) << i;
    }
}

// A random nonce of 96 bits repeats after about 2^48 seals, so one key is safe for only 2^32 seals. With 224 random
// bits no count is needed.
TEST(Seal, each_seal_has_its_own_salt_and_nonce) {
    const Seal seal({key_of(1)}, std::chrono::seconds(60));
    std::set<std::string> salts, nonces;
    for (int i = 0; i < 1000; ++i) {
        const std::string one = raw(seal.close("state", ""));
        ASSERT_EQ(one.size(), overhead + 5);
        salts.insert(one.substr(1, salt_size));
        nonces.insert(one.substr(1 + salt_size, nonce_size));
    }
    EXPECT_EQ(salts.size(), 1000u);
    EXPECT_EQ(nonces.size(), 1000u);
}

// Decrypts with AES-256-GCM under the key HMAC-SHA-256(key, "tenon seal 2" salt), computed here independently.
TEST(Seal, is_encrypted_with_the_derived_key) {
    const SealKey key = key_of(7);
    const std::string one = raw(Seal({key}, std::chrono::seconds(60)).close("state", "binding"));
    const std::string input = "tenon seal 2" + one.substr(1, salt_size);
    SealKey derived;
    ASSERT_TRUE(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                     reinterpret_cast<const unsigned char*>(input.data()), input.size(), derived.data(), nullptr));
    EVP_CIPHER_CTX* const cipher = EVP_CIPHER_CTX_new();
    const auto* in = reinterpret_cast<const unsigned char*>(one.data());
    std::string plain(8 + 5, '\0');
    int n = 0;
    EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nullptr, derived.data(), in + 1 + salt_size);
    EVP_DecryptUpdate(cipher, reinterpret_cast<unsigned char*>(plain.data()), &n, in + 1 + salt_size + nonce_size,
                      static_cast<int>(plain.size()));
    EVP_CIPHER_CTX_free(cipher);
    EXPECT_EQ(plain.substr(8), "state");
}

}  // namespace
}  // namespace tenon::io
