#include "framing/http_names.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace tenon::framing {
namespace {

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

TEST(HttpName, is_known_in_any_case) {
    for (std::size_t i = 1; i < HttpName::known.size(); ++i) {
        const std::string small(HttpName::known[i]);
        EXPECT_EQ(HttpName(std::string_view(small)).number(), i) << small;
        EXPECT_EQ(HttpName(std::string_view(upper(small))).number(), i) << small;
    }
}

TEST(HttpName, is_another_with_any_other_byte) {
    for (std::size_t i = 1; i < HttpName::known.size(); ++i) {
        const std::string small(HttpName::known[i]), large = upper(small);
        for (std::size_t at = 0; at < small.size(); ++at)
            for (int byte = 0; byte < 256; ++byte) {
                std::string name = small;
                name[at] = static_cast<char>(byte);
                const bool same = name[at] == small[at] || name[at] == large[at];
                EXPECT_EQ(HttpName(std::string_view(name)).number(), same ? i : 0) << name << " at " << at;
            }
    }
}

TEST(HttpName, has_no_number_when_it_is_longer_or_shorter) {
    EXPECT_EQ(HttpName(std::string_view()).number(), 0U);
    for (std::size_t i = 1; i < HttpName::known.size(); ++i) {
        const std::string small(HttpName::known[i]);
        EXPECT_EQ(HttpName(std::string_view(small + "s")).number(), 0U) << small;
        EXPECT_EQ(HttpName(std::string_view(small).substr(1)).number(), 0U) << small;
        EXPECT_EQ(HttpName(std::string_view(small).substr(0, small.size() - 1)).number(), 0U) << small;
    }
}

TEST(HttpName, of_a_literal_is_the_same) {
    constexpr HttpName literal = "MCP-Protocol-Version";
    EXPECT_EQ(literal.number(), HttpName(std::string_view("mcp-protocol-version")).number());
    EXPECT_EQ(HttpName("X-Other").number(), 0U);
}

}  // namespace
}  // namespace tenon::framing
