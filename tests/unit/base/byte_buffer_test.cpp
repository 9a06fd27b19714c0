#include "base/byte_buffer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tenon::base {
namespace {

TEST(ByteBuffer, appends_external_bytes_and_bytes_written_into_its_room) {
    ByteBuffer buffer;
    std::string all;
    for (int round = 0; round < 200; ++round) {
        const std::string piece(static_cast<std::size_t>(round * 7 + 1), static_cast<char>('a' + round % 26));
        if (round % 2 == 0) {
            buffer.append(piece);
            all += piece;
            continue;
        }
        const auto room = buffer.room(piece.size());
        ASSERT_FALSE(room.empty());
        ASSERT_LE(room.size(), piece.size());
        std::copy_n(piece.begin(), room.size(), room.begin());
        buffer.append({room.data(), room.size()});
        all += piece.substr(0, room.size());
    }
    EXPECT_EQ(buffer.view(), all);
}

TEST(ByteBuffer, grows_at_most_to_double_its_capacity) {
    ByteBuffer buffer;
    buffer.reserve(10'000);
    buffer.append(std::string(10'000, 'x'));
    EXPECT_EQ(buffer.room(3).size(), 3U);
    EXPECT_EQ(buffer.capacity(), 10'003U);
    buffer.append("xyz");
    EXPECT_EQ(buffer.room(1'000'000).size(), 10'003U);
}

TEST(ByteBuffer, keeps_its_memory_until_give_back) {
    ByteBuffer buffer;
    buffer.append("something");
    buffer.clear();
    EXPECT_TRUE(buffer.empty());
    EXPECT_GT(buffer.capacity(), 0U);
    buffer.give_back();
    EXPECT_EQ(buffer.capacity(), 0U);
    buffer.append("again");
    EXPECT_EQ(buffer.view(), "again");
}

}  // namespace
}  // namespace tenon::base
