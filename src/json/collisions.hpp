// Bounds what Boost's hash tables cost when an enemy chose the keys.
#pragma once

#include <cstdint>

#include <tenon/json.hpp>

namespace tenon::json {

/// Small objects have no hash table: Boost compares each key with all others.
inline bool has_hash_table(const object& o) { return o.capacity() > boost::json::detail::small_object_size_; }

/// Counts the comparisons that Boost needs to add the members of one object.
///
/// Boost 1.81 hashes keys with FNV-1a and uses the address of the table as its only secret. No secret and no size of
/// the table helps: whoever knows the lowest byte of the address (16 values) can write keys whose 64-bit hashes are all
/// the same, because xor with a known byte is an addition and the rest of the address cancels out. Such an object would
/// cost a comparison for each pair of its keys. So we count, and stop early. Honest keys need about half a comparison
/// each.
class KeyCollisions {
 public:
    /// Call after each member that was added to `o`. False when its keys collide so often that no chance explains it.
    bool accept_last_of(const object& o) {
        if (!has_hash_table(o)) return true;
        comparisons_ += earlier_in_bucket(o);
        return comparisons_ <= max_per_member * o.size();
    }

    std::size_t comparisons() const { return comparisons_; }

    static constexpr std::size_t max_per_member = 8;

 private:
    // The members of a bucket are a list, the newest first: Boost has compared the new key with all that follow it.
    static std::size_t earlier_in_bucket(const object& o) {
        constexpr std::uint32_t end = 0xFFFFFFFF;
        std::size_t count = 0;
        const auto* member = o.end() - 1;
        for (std::uint32_t i = next(*member); i != end; i = next(o.begin()[i])) ++count;
        return count;
    }
    static std::uint32_t next(const object::value_type& member) { return boost::json::detail::access::next(member); }

    std::size_t comparisons_ = 0;
};

/// How many members an object made for outside keys gets room for. An odd number makes every bit of a hash count.
inline std::size_t table_size(std::size_t members) {
    return members > boost::json::detail::small_object_size_ ? members | 1 : members;
}

/// Copies the members of `from` into `to`, in place of those of the same name. False when their keys collide too often:
/// then some are copied.
inline bool merge(object& to, const object& from) {
    to.reserve(table_size(to.size() + from.size()));
    KeyCollisions collisions;
    for (const auto& member : from)
        if (to.insert_or_assign(member.key(), member.value()).second && !collisions.accept_last_of(to)) return false;
    return true;
}

/// What is wrong with an object that KeyCollisions refused.
inline constexpr std::string_view colliding_keys =
    "the keys of an object collide in a hash table far more often than chance allows; rename the keys";

}  // namespace tenon::json
