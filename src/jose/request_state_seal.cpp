#include "jose/request_state_seal.hpp"

#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "base/base64.hpp"
#include "jose/openssl.hpp"

namespace tenon::jose {
namespace {

// Layout: version, salt, nonce, ciphertext of (expiry, state), tag.
constexpr char version = 2;
constexpr std::size_t salt_size = 16, nonce_size = 12, tag_size = 16, expiry_size = 8;
constexpr std::size_t head_size = 1 + salt_size + nonce_size;
constexpr std::string_view purpose = "tenon seal 2";  // other uses of the server's key derive other keys

using Cipher = Owned<EVP_CIPHER_CTX, EVP_CIPHER_CTX_free>;

int length(std::string_view s) { return static_cast<int>(s.size()); }

std::int64_t in_seconds(Seal::Time time) {
    return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::string encode_expiry(std::int64_t seconds) {
    std::string out;
    for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>((seconds >> shift) & 0xff);
    return out;
}

std::int64_t decode_expiry(std::string_view s) {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < expiry_size; ++i) n = n << 8 | static_cast<unsigned char>(s[i]);
    return static_cast<std::int64_t>(n);
}

SealKey derive(const SealKey& key, std::string_view salt) {
    const std::string input = std::string(purpose).append(salt);
    SealKey out;
    unsigned int size = 0;
    must(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), octets(input), input.size(), out.data(), &size) &&
             size == out.size(),
         "HMAC-SHA-256");
    return out;
}

std::optional<std::string> decrypt(const SealKey& key, std::string_view nonce, std::string_view text,
                                   std::string_view tag, std::string_view binding) {
    const QuietErrors quiet;
    const Cipher cipher(EVP_CIPHER_CTX_new());
    std::string plain(text.size(), '\0');
    std::string tag_copy(tag);
    int n = 0;
    const bool good =
        cipher && EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), octets(nonce)) == 1 &&
        EVP_DecryptUpdate(cipher.get(), nullptr, &n, octets(binding), length(binding)) == 1 &&
        EVP_DecryptUpdate(cipher.get(), octets(plain), &n, octets(text), length(text)) == 1 &&
        EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(tag_size), octets(tag_copy)) == 1 &&
        EVP_DecryptFinal_ex(cipher.get(), octets(plain), &n) == 1;
    if (!good) return std::nullopt;
    return plain;
}

// Appends the ciphertext and the tag to `out`.
void encrypt(const SealKey& key, std::string_view nonce, std::string_view plain, std::string_view binding,
             std::string& out) {
    const Cipher cipher(EVP_CIPHER_CTX_new());
    std::string text(plain.size() + tag_size, '\0');
    unsigned char* const tag = octets(text) + plain.size();
    int n = 0;
    must(cipher && EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), octets(nonce)) == 1 &&
             EVP_EncryptUpdate(cipher.get(), nullptr, &n, octets(binding), length(binding)) == 1 &&
             EVP_EncryptUpdate(cipher.get(), octets(text), &n, octets(plain), length(plain)) == 1 &&
             EVP_EncryptFinal_ex(cipher.get(), tag, &n) == 1 &&
             EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(tag_size), tag) == 1,
         "AES-256-GCM");
    out += text;
}

std::string random_salt_and_nonce() {
    std::string out(salt_size + nonce_size, '\0');
    must(RAND_bytes(octets(out), length(out)) == 1, "random numbers");
    return out;
}

}  // namespace

std::string Seal::close(std::string_view state, std::string_view binding, Time expires) const {
    const std::string random = random_salt_and_nonce();
    const std::string_view salt = std::string_view(random).substr(0, salt_size);
    const std::string_view nonce = std::string_view(random).substr(salt_size);
    std::string out = version + random;
    encrypt(derive(keys_.front(), salt), nonce, encode_expiry(in_seconds(expires)).append(state), binding, out);
    return base::base64url_encode(out);
}

Seal::Opened Seal::open(std::string_view sealed, std::string_view binding, Time now) const {
    const auto raw = base::base64url_decode(sealed);
    if (!raw || raw->size() < head_size + expiry_size + tag_size || raw->front() != version)
        return {std::nullopt, "it was not sealed by this server"};
    const std::string_view all = *raw;
    const std::string_view salt = all.substr(1, salt_size);
    const std::string_view nonce = all.substr(1 + salt_size, nonce_size);
    const std::string_view text = all.substr(head_size, all.size() - head_size - tag_size);
    const std::string_view tag = all.substr(all.size() - tag_size);
    for (const SealKey& key : keys_) {
        const auto plain = decrypt(derive(key, salt), nonce, text, tag, binding);
        if (!plain) continue;
        if (decode_expiry(*plain) < in_seconds(now)) return {std::nullopt, "it is too old"};
        return {plain->substr(expiry_size), ""};
    }
    return {std::nullopt, "it was changed, belongs to another request, or was sealed with another key"};
}

}  // namespace tenon::jose
