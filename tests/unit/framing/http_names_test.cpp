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

TEST(HttpName, is_recognised_case_insensitively) {
    for (std::size_t i = 1; i < HttpName::known.size(); ++i) {
        const std::string small(HttpName::known[i]);
        EXPECT_EQ(HttpName(std::string_view(small)).number(), i) << small;
        EXPECT_EQ(HttpName(std::string_view(upper(small))).number(), i) << small;
    }
}

TEST(HttpName, any_other_byte_makes_it_unknown) {
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

TEST(HttpName, longer_or_shorter_names_are_unknown) {
    EXPECT_EQ(HttpName(std::string_view()).number(), 0U);
    for (std::size_t i = 1; i < HttpName::known.size(); ++i) {
        const std::string small(HttpName::known[i]);
        EXPECT_EQ(HttpName(std::string_view(small + "s")).number(), 0U) << small;
        EXPECT_EQ(HttpName(std::string_view(small).substr(1)).number(), 0U) << small;
        EXPECT_EQ(HttpName(std::string_view(small).substr(0, small.size() - 1)).number(), 0U) << small;
    }
}

TEST(HttpName, a_literal_gives_the_same_number) {
    constexpr HttpName literal = "MCP-Protocol-Version";
    EXPECT_EQ(literal.number(), HttpName(std::string_view("mcp-protocol-version")).number());
    EXPECT_EQ(HttpName("X-Other").number(), 0U);
}

}  // namespace
}  // namespace tenon::framing
