#include "base/sha256.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "jose/digest.hpp"

namespace tenon::base {
namespace {

std::string hex_digest(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const char c : sha256(bytes)) {
        const auto byte = static_cast<unsigned char>(c);
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

TEST(Sha256, agrees_with_the_examples_of_the_standard) {
    EXPECT_EQ(hex_digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hex_digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hex_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(hex_digest(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

std::string_view text_of(const Sha256Digest& digest) { return {digest.data(), digest.size()}; }

// The block has 64 bytes, and its padding takes 9 or more: the lengths cover each case several times.
RC_GTEST_PROP(Sha256, agrees_without_the_instructions_of_the_processor_and_with_openssl, ()) {
    constexpr std::size_t lengths = 4 * 64 + 1;
    const auto bytes = *rc::gen::container<std::string>(lengths, rc::gen::arbitrary<char>());
    for (std::size_t n = 0; n <= lengths; ++n) {
        const std::string_view input = std::string_view(bytes).substr(0, n);
        const Sha256Digest digest = sha256(input);
        RC_ASSERT(digest == sha256_portably(input));
        RC_ASSERT(text_of(digest) == jose::sha256(input));
    }
}

}  // namespace
}  // namespace tenon::base
