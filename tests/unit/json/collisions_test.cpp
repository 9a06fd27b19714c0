// Colliding keys cost no more than a few comparisons each.
#include "json/collisions.hpp"

#include <gtest/gtest.h>

#include <boost/json/memory_resource.hpp>
#include <boost/json/parse.hpp>
#include <memory>
#include <random>
#include <vector>

#include "unit/json/collision_keys.hpp"

namespace tenon::json {
namespace {

using testing::boost_hash;
using testing::colliding_object;
using testing::CollidingKeys;
using testing::object_text;

// The possible lowest bytes of a table's address. Tables are aligned to 16 bytes.
std::vector<std::uint8_t> salts() {
    std::vector<std::uint8_t> out;
    for (int byte = 0; byte < 256; byte += 16) out.push_back(static_cast<std::uint8_t>(byte));
    return out;
}

// Memory whose addresses all end in the same byte.
class Placed final : public boost::json::memory_resource {
 public:
    explicit Placed(std::uint8_t lowest_byte) : lowest_byte_(lowest_byte) {}
    storage_ptr storage() { return this; }

 private:
    void* do_allocate(std::size_t bytes, std::size_t) override {
        blocks_.push_back(std::make_unique<unsigned char[]>(bytes + 256));
        unsigned char* const block = blocks_.back().get();
        const auto byte = static_cast<std::uint8_t>(reinterpret_cast<std::uintptr_t>(block));
        return block + static_cast<std::uint8_t>(lowest_byte_ - byte);
    }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

    std::uint8_t lowest_byte_;
    std::vector<std::unique_ptr<unsigned char[]>> blocks_;
};

// Adds keys until they are refused. Returns the number of comparisons and of added keys.
struct Work {
    std::size_t comparisons, added;
};
Work add(const std::vector<std::string>& keys, object& o) {
    o.reserve(table_size(keys.size()));
    KeyCollisions collisions;
    for (const std::string& key : keys) {
        o.emplace(key, 0);
        if (!collisions.accept_last_of(o)) break;
    }
    return {collisions.comparisons(), o.size()};
}

TEST(Collisions, the_generated_keys_collide_for_every_address_with_the_same_lowest_byte) {
    std::mt19937_64 random(1);
    for (const std::uint8_t salt : salts()) {
        const auto keys = CollidingKeys(salt).make(6);
        for (int i = 0; i < 20; ++i) {
            const std::uint64_t address = (random() & ~std::uint64_t{0xFF}) | salt;
            for (const std::string& key : keys) ASSERT_EQ(boost_hash(key, address), boost_hash(keys[0], address));
        }
    }
}

TEST(Collisions, colliding_keys_are_refused_for_every_salt) {
    for (const std::uint8_t salt : salts()) {
        Placed memory(salt);
        const auto parsed = parse(object_text(CollidingKeys(salt).make(12)), {}, memory.storage());
        ASSERT_FALSE(parsed) << int(salt);
        EXPECT_EQ(parsed.error().code, code::parse_error);
        EXPECT_EQ(parsed.error().message, "Parse error: " + std::string(colliding_keys));
    }
}

TEST(Collisions, keys_for_every_salt_at_once_are_refused_at_every_address) {
    const std::string text = colliding_object();
    EXPECT_FALSE(parse(text));
    for (const std::uint8_t salt : salts()) {
        Placed memory(salt);
        EXPECT_FALSE(parse(text, {}, memory.storage())) << int(salt);
    }
}

TEST(Collisions, merging_colliding_keys_is_refused) {
    const std::string text = colliding_object();
    object from, to;
    boost::json::value all = boost::json::parse(text);
    EXPECT_FALSE(merge(to, all.as_object()));
    from = {{"a", 1}, {"b", 2}};
    to = {{"b", 3}, {"c", 4}};
    EXPECT_TRUE(merge(to, from));
    EXPECT_EQ(to, (object{{"b", 2}, {"c", 4}, {"a", 1}}));
}

TEST(Collisions, colliding_keys_in_nested_objects_are_refused) {
    Placed memory(16);
    const std::string text = "[1,{\"a\":[" + object_text(CollidingKeys(16).make(6)) + "]}]";
    EXPECT_FALSE(parse(text, {}, memory.storage()));
}

TEST(Collisions, each_key_costs_few_comparisons_for_every_salt_and_guessed_salt) {
    for (const std::uint8_t guessed : salts()) {
        const auto keys = CollidingKeys(guessed).make(10);
        for (const std::uint8_t salt : salts()) {
            Placed memory(salt);
            object o(memory.storage());
            const Work work = add(keys, o);
            // The refused key itself may cost up to as many comparisons as there are keys.
            EXPECT_LE(work.comparisons, (KeyCollisions::max_per_member + 1) * work.added);
            if (salt == guessed) {
                EXPECT_LT(work.added, 20u);
            }
        }
    }
}

TEST(Collisions, keys_that_collide_only_in_a_table_of_chosen_size_cost_few_comparisons) {
    // The attack on a table of 4096 buckets: only the lowest 12 bits of the address matter, and they are often known.
    std::vector<std::string> keys;
    for (std::uint64_t i = 0; keys.size() < 4096; ++i) {
        const std::string key = "k" + std::to_string(i);
        if ((boost_hash(key, 0x10) & 0x3FF) == 7) keys.push_back(key);
    }
    for (const std::uint8_t salt : salts()) {
        Placed memory(salt);
        object o(memory.storage());
        const Work work = add(keys, o);
        EXPECT_LE(work.comparisons, (KeyCollisions::max_per_member + 1) * work.added);
    }
}

TEST(Collisions, ordinary_keys_need_few_comparisons_and_are_never_refused) {
    std::mt19937_64 random(2);
    const auto hex = [&] {
        std::string out;
        for (int i = 0; i < 32; ++i) out += "0123456789abcdef"[random() % 16];
        return out;
    };
    const std::vector<std::function<std::string(std::size_t)>> families = {
        [](std::size_t i) { return std::to_string(i); },
        [](std::size_t i) { return "item_" + std::to_string(i); },
        [](std::size_t i) { return std::to_string(i * 1000) + ".0"; },
        [](std::size_t i) { return "/usr/share/doc/package" + std::to_string(i) + "/README.md"; },
        [](std::size_t i) { return std::string(i / 26 + 1, static_cast<char>('a' + i % 26)); },
        [](std::size_t i) { return std::string("\xC3\xA4") + std::to_string(i) + "\xE2\x82\xAC"; },
        [](std::size_t i) { return std::to_string(i + 1'000'000'000).substr(1) + std::string(20, '0'); },
        [&](std::size_t) { return hex(); }};
    for (std::size_t family = 0; family < families.size(); ++family)
        for (const int wanted : {19, 31, 64, 100, 256, 1000, 1024, 2047, 4096, 5000, 8192, 10'000}) {
            auto size = static_cast<std::size_t>(wanted);
            if (family == 4) size = std::min<std::size_t>(size, 2047);
            std::vector<std::string> keys;
            for (std::size_t i = 0; i < size; ++i) keys.push_back(families[family](i));
            object o;
            const Work work = add(keys, o);
            EXPECT_EQ(work.added, size) << "family " << family;
            EXPECT_LT(work.comparisons, size + size / 2) << "family " << family << ", size " << size;
        }
}

TEST(Collisions, a_small_object_accepts_colliding_keys) {
    auto keys = CollidingKeys(0).make(4);
    Placed memory(0);
    EXPECT_TRUE(parse(object_text(keys), {}, memory.storage()));
}

}  // namespace
}  // namespace tenon::json
