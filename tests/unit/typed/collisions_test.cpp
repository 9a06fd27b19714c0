// Keys that a sender chose to share one bucket of a hash table.
#include <gtest/gtest.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

#include <tenon/typed.hpp>

namespace tenon {
namespace {

// Returns the number of buckets of a table of this size.
template <class Table>
std::size_t buckets_of(std::size_t size, bool reserved) {
    Table table;
    if (reserved) table.reserve(size);
    return table.bucket_count();
}

json::array multiples(std::int64_t factor, std::int64_t count) {
    json::array out;
    for (std::int64_t i = 0; i < count; ++i) out.push_back(i * factor);
    return out;
}

TEST(Collisions, numbers_that_share_a_bucket_are_refused) {
    using Numbers = std::unordered_set<std::int64_t>;
    constexpr std::int64_t count = 10'000;
    const auto buckets = static_cast<std::int64_t>(buckets_of<Numbers>(count, true));
    const auto crowded = from_json<Numbers>(multiples(buckets, count), "ids");
    ASSERT_FALSE(crowded);
    EXPECT_EQ(crowded.error().message,
              "`ids` has more than 64 keys with the same hash; use other keys, or declare the parameter as an ordered "
              "container");
}

TEST(Collisions, names_that_share_a_bucket_are_refused) {
    using Names = std::unordered_map<std::string, int>;
    Names grown;
    for (int i = 0; i < 70; ++i) grown["k" + std::to_string(i)] = i;
    json::object crowded;
    for (int i = 0; crowded.size() < 100; ++i) {
        std::string name = "n" + std::to_string(i);
        if (std::hash<std::string>()(name) % grown.bucket_count() == 0) crowded[name] = i;
    }
    const auto read = from_json<Names>(crowded, "totals");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("`totals` has more than 64 keys with the same hash"), std::string::npos);
    EXPECT_EQ((from_json<std::map<std::string, int>>(crowded).value().size()), 100u);
}

TEST(Collisions, ordinary_keys_are_accepted) {
    using Numbers = std::unordered_set<std::int64_t>;
    for (const std::int64_t factor : {1, 2, 1000, 1'000'000, 1 << 20})
        EXPECT_EQ(from_json<Numbers>(multiples(factor, 10'000)).value().size(), 10'000u) << factor;
    json::object names;
    for (int i = 0; i < 10'000; ++i) names["name" + std::to_string(i)] = i;
    EXPECT_EQ((from_json<std::unordered_map<std::string, int>>(names).value().size()), 10'000u);
}

}  // namespace
}  // namespace tenon
