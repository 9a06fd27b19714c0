#include "schema/string_table.hpp"

#include <gtest/gtest.h>

namespace tenon::schema {
namespace {

std::string text_of_size(std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>('a' + i % 26);
    return text;
}

TEST(StringTable, finds_each_string_with_any_hint) {
    const std::vector<std::string_view> strings{"", "a", "id", "sku", "name", "customer", "an unusually long name"};
    const StringTable table(strings);
    ASSERT_EQ(table.size(), strings.size());
    for (std::uint32_t i = 0; i < strings.size(); ++i) {
        EXPECT_EQ(table[i], strings[i]);
        EXPECT_EQ(table.find(strings[i]), i);
        for (std::uint32_t guess = 0; guess <= strings.size(); ++guess) EXPECT_EQ(table.find(strings[i], guess), i);
    }
}

TEST(StringTable, finds_nothing_when_empty) {
    for (const StringTable& table : {StringTable(), StringTable(std::vector<std::string_view>{})}) {
        EXPECT_EQ(table.size(), 0u);
        EXPECT_EQ(table.find(""), StringTable::absent);
        EXPECT_EQ(table.find("name", 0), StringTable::absent);
    }
}

TEST(StringTable, detects_a_difference_in_any_byte) {
    for (std::size_t size = 0; size <= 40; ++size) {
        const std::string text = text_of_size(size);
        const StringTable table({text});
        EXPECT_EQ(table.find(text, 0), 0u);
        EXPECT_EQ(table.find(text + "x", 0), StringTable::absent);
        for (std::size_t at = 0; at < size; ++at) {
            std::string other = text;
            other[at] = 'X';
            EXPECT_EQ(table.find(other), StringTable::absent) << other;
            EXPECT_EQ(table.find(other, 0), StringTable::absent) << other;
        }
    }
}

TEST(StringTable, finds_strings_with_equal_beginnings_and_ends) {
    std::vector<std::string> strings;
    for (int i = 0; i < 100; ++i)
        strings.push_back(std::string(16, 'a') + std::to_string(100 + i) + std::string(45, 'z'));
    const StringTable table(std::vector<std::string_view>(strings.begin(), strings.end()));
    for (std::uint32_t i = 0; i < strings.size(); ++i) EXPECT_EQ(table.find(strings[i], i), i);
    EXPECT_EQ(table.find(std::string(16, 'a') + "999" + std::string(45, 'z')), StringTable::absent);
}

}  // namespace
}  // namespace tenon::schema
