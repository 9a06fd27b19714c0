#include "io/seal.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <memory>
#include <stdexcept>

#include "base/base64.hpp"
#include "io/random.hpp"

namespace tenon::io {
namespace {

// Layout: version, salt, nonce, ciphertext of (expiry, state), tag.
constexpr char version = 2;
constexpr std::size_t salt_size = 16, nonce_size = 12, tag_size = 16, expiry_size = 8;
constexpr std::size_t head_size = 1 + salt_size + nonce_size;
constexpr std::string_view purpose = "tenon seal 2";  // other uses of the server's key derive other keys

struct FreeContext {
    void operator()(EVP_CIPHER_CTX* c) const { EVP_CIPHER_CTX_free(c); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const unsigned char* bytes(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }
unsigned char* bytes(std::string& s, std::size_t at = 0) { return reinterpret_cast<unsigned char*>(s.data() + at); }
int length(std::string_view s) { return static_cast<int>(s.size()); }

std::int64_t now_in_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
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
    if (!HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes(input), input.size(), out.data(), &size) ||
        size != out.size())
        throw std::runtime_error("HMAC-SHA-256 is not available");
    return out;
}

std::optional<std::string> decrypt(const SealKey& key, std::string_view nonce, std::string_view text,
                                   std::string_view tag, std::string_view binding) {
    const Cipher cipher(EVP_CIPHER_CTX_new());
    std::string plain(text.size(), '\0');
    std::string tag_copy(tag);
    int n = 0;
    const bool good =
        cipher && EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), bytes(nonce)) == 1 &&
        EVP_DecryptUpdate(cipher.get(), nullptr, &n, bytes(binding), length(binding)) == 1 &&
        EVP_DecryptUpdate(cipher.get(), bytes(plain), &n, bytes(text), length(text)) == 1 &&
        EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(tag_size), bytes(tag_copy)) == 1 &&
        EVP_DecryptFinal_ex(cipher.get(), bytes(plain), &n) == 1;
    if (!good) return std::nullopt;
    return plain;
}

}  // namespace

std::string Seal::close(std::string_view state, std::string_view binding) const {
    const auto random = random_bytes<salt_size + nonce_size>();
    const std::string plain = encode_expiry(now_in_seconds() + lifetime_.count()) + std::string(state);
    std::string out(1, version);
    out.append(reinterpret_cast<const char*>(random.data()), random.size());
    out.resize(head_size + plain.size() + tag_size);
    const SealKey key = derive(keys_.front(), std::string_view(out).substr(1, salt_size));

    const Cipher cipher(EVP_CIPHER_CTX_new());
    int n = 0;
    const bool good =
        cipher &&
        EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), random.data() + salt_size) == 1 &&
        EVP_EncryptUpdate(cipher.get(), nullptr, &n, bytes(binding), length(binding)) == 1 &&
        EVP_EncryptUpdate(cipher.get(), bytes(out, head_size), &n, bytes(plain), length(plain)) == 1 &&
        EVP_EncryptFinal_ex(cipher.get(), bytes(out, head_size + plain.size()), &n) == 1 &&
        EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, static_cast<int>(tag_size),
                            bytes(out, head_size + plain.size())) == 1;
    if (!good) throw std::runtime_error("AES-256-GCM is not available");
    return base::base64url_encode(out);
}

Seal::Opened Seal::open(std::string_view sealed, std::string_view binding) const {
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
        if (decode_expiry(*plain) < now_in_seconds()) return {std::nullopt, "it is too old"};
        return {plain->substr(expiry_size), ""};
    }
    return {std::nullopt, "it was changed, belongs to another request, or was sealed with another key"};
}

}  // namespace tenon::io
