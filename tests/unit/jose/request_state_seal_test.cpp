// Seals: what opens them, what does not, and that each has its own key and nonce.
#include "jose/request_state_seal.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <set>

#include "base/base64.hpp"

namespace tenon::jose {
namespace {

constexpr std::size_t salt_size = 16, nonce_size = 12, overhead = 1 + salt_size + nonce_size + 8 + 16;

SealKey key_of(std::uint8_t n) {
    SealKey key{};
    key[0] = n;
    return key;
}

std::string raw(const std::string& sealed) { return base::base64url_decode(sealed).value(); }

const Seal::Time start{std::chrono::hours(24)};
constexpr std::chrono::seconds minute{60};

TEST(Seal, opens_only_with_its_key_and_binding_before_it_expires) {
    const Seal seal({key_of(1)});
    const std::string sealed = seal.close("state", "tools/call", start + minute);
    EXPECT_EQ(seal.open(sealed, "tools/call", start).state, "state");
    EXPECT_EQ(seal.open(sealed, "tools/call", start + minute).state, "state");
    EXPECT_FALSE(seal.open(sealed, "tools/call", start + minute + std::chrono::seconds(1)).state);
    EXPECT_FALSE(seal.open(sealed, "prompts/get", start).state);
    EXPECT_FALSE(Seal({key_of(2)}).open(sealed, "tools/call", start).state);
    EXPECT_EQ(Seal({key_of(2), key_of(1)}).open(sealed, "tools/call", start).state, "state");
}

TEST(Seal, a_changed_or_missing_byte_is_detected) {
    const Seal seal({key_of(1)});
    const std::string whole = raw(seal.close("state", "b", start));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        EXPECT_FALSE(seal.open(base::base64url_encode(changed), "b", start).state) << i;
        EXPECT_FALSE(seal.open(base::base64url_encode(whole.substr(0, i)), "b", start).state) << i;
    }
}

// A random nonce of 96 bits repeats after about 2^48 seals, so one key is safe for only 2^32 seals. With 224 random
// bits no count is needed.
TEST(Seal, each_seal_has_its_own_salt_and_nonce) {
    const Seal seal({key_of(1)});
    std::set<std::string> salts, nonces;
    for (int i = 0; i < 1000; ++i) {
        const std::string one = raw(seal.close("state", "", start));
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
    const std::string one = raw(Seal({key}).close("state", "binding", start));
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
}  // namespace tenon::jose
