// Bounds the cost of Boost's hash tables when an attacker chooses the keys.
#pragma once

#include <cstdint>

#include <tenon/json.hpp>

namespace tenon::json {

/// Counts the comparisons that Boost needs to add the members of one object.
///
/// Boost 1.81 hashes keys with FNV-1a, and the address of the table is the only secret. That does not help, and neither
/// does a larger table. The lowest byte of the address has only 16 values. An attacker who guesses it can write keys
/// that all have the same 64-bit hash: xor with a known byte is an addition, and the rest of the address cancels out.
/// Such an object would cost a comparison for each pair of keys. So we count, and stop early. Normal keys need about
/// half a comparison each.
class KeyCollisions {
 public:
    /// Counts the collisions of the last member of `o`. Call it after each added member. Returns false when the keys
    /// collide far more often than by chance.
    bool accept_last_of(const object& o) {
        if (o.capacity() <= boost::json::detail::small_object_size_) return true;  // small objects have no hash table
        comparisons_ += earlier_in_bucket(o);
        return comparisons_ <= max_per_member * o.size();
    }

    std::size_t comparisons() const { return comparisons_; }

    static constexpr std::size_t max_per_member = 8;

 private:
    // A bucket is a list of members, the newest first. Boost has compared the new key with all members after it.
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

/// Returns the capacity to reserve for an object with keys from outside. It is odd, so that every bit of a hash counts.
inline std::size_t table_size(std::size_t members) {
    return members > boost::json::detail::small_object_size_ ? members | 1 : members;
}

/// Copies the members of `from` into `to`, and replaces members with the same name. Returns false when the keys collide
/// too often. Some members are copied then.
inline bool merge(object& to, const object& from) {
    to.reserve(table_size(to.size() + from.size()));
    KeyCollisions collisions;
    for (const auto& member : from)
        if (to.insert_or_assign(member.key(), member.value()).second && !collisions.accept_last_of(to)) return false;
    return true;
}

/// The error message for an object that KeyCollisions refused.
inline constexpr std::string_view colliding_keys =
    "the keys of an object collide in a hash table far more often than chance allows; rename the keys";

}  // namespace tenon::json
