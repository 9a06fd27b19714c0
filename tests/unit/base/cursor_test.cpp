#include "base/cursor.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "base/base64.hpp"

namespace tenon::base {
namespace {

constexpr SipKey counting_key{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

TEST(SipHash, matches_the_published_test_vectors) {
    const std::pair<std::size_t, std::uint64_t> published[] = {
        {0, 0x726fdb47dd0e0e31}, {1, 0x74f839c593dc67fd}, {2, 0x0d6c8009d9a94f5a},  {3, 0x85676696d7fb7e2d},
        {7, 0xab0200f58b01d137}, {8, 0x93f5f5799a932462}, {15, 0xa129ca6149be45e5},
    };
    std::string input;
    for (char c = 0; c < 16; ++c) input += c;
    for (const auto& [length, hash] : published)
        EXPECT_EQ(siphash(counting_key, input.substr(0, length)), hash) << length;
}

TEST(Cursor, sealing_and_opening_are_inverse) {
    EXPECT_TRUE(rc::check("round trip", [](std::uint64_t position, char kind) {
        const std::string cursor = seal_cursor(counting_key, kind, position);
        RC_ASSERT(cursor.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
                  std::string::npos);
        RC_ASSERT(open_cursor(counting_key, kind, cursor) == position);
    }));
}

// rules: RES-10
TEST(Cursor, does_not_reveal_its_position) {
    const auto byte_at = [](std::uint64_t position, std::size_t i) {
        return base64url_decode(seal_cursor(counting_key, 't', position)).value()[i];
    };
    for (std::size_t i = 0; i < 16; ++i) {
        std::set<char> seen;
        for (std::uint64_t position = 0; position < 64; ++position) seen.insert(byte_at(position, i));
        EXPECT_GT(seen.size(), 32U) << "byte " << i << " is nearly the same for 64 positions";
    }
    EXPECT_EQ(open_text(counting_key, 'l', seal_text(counting_key, 'l', "7 of bob")), "7 of bob");
    const auto sealed = base64url_decode(seal_text(counting_key, 'l', "7 of bob, and a longer text"));
    EXPECT_EQ(sealed.value().find("bob"), std::string::npos);
}

TEST(Cursor, refuses_another_kind_and_another_key) {
    const std::string cursor = seal_cursor(counting_key, 't', 50);
    EXPECT_FALSE(open_cursor(counting_key, 'r', cursor));
    SipKey other = counting_key;
    other[15] ^= 1;
    EXPECT_FALSE(open_cursor(other, 't', cursor));
}

TEST(Cursor, refuses_every_change_of_one_character) {
    const std::string cursor = seal_cursor(counting_key, 't', 50);
    for (std::size_t i = 0; i < cursor.size(); ++i) {
        for (int c = 0; c < 256; ++c) {
            std::string altered = cursor;
            altered[i] = static_cast<char>(c);
            EXPECT_EQ(open_cursor(counting_key, 't', altered).has_value(), altered == cursor) << i << ' ' << c;
        }
    }
}

TEST(Cursor, refuses_other_lengths) {
    const std::string cursor = seal_cursor(counting_key, 't', 50);
    EXPECT_FALSE(open_cursor(counting_key, 't', ""));
    EXPECT_FALSE(open_cursor(counting_key, 't', cursor + "A"));
    EXPECT_FALSE(open_cursor(counting_key, 't', cursor + "="));
    EXPECT_FALSE(open_cursor(counting_key, 't', cursor.substr(1)));
    EXPECT_FALSE(open_cursor(counting_key, 't', std::string(1'000'000, 'A')));
}

}  // namespace
}  // namespace tenon::base
