// Keys that an attacker would choose: they all have the same 64-bit hash in Boost's hash table of an object.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::json::testing {

/// FNV-1a as Boost 1.81 implements it, with the address of the table as its salt.
inline std::uint64_t boost_hash(std::string_view key, std::uint64_t salt) {
    constexpr std::uint64_t prime = 0x100000001B3;
    std::uint64_t hash = std::uint64_t{0xcbf29ce484222325} + salt;
    for (const char c : key) hash = (static_cast<std::uint64_t>(static_cast<std::int64_t>(c)) ^ hash) * prime;
    return hash;
}

/// Makes keys that collide for every value of the upper 56 bits of the table's address, and for every capacity.
class CollidingKeys {
 public:
    /// `lowest_byte` is the lowest byte of the table's address.
    explicit CollidingKeys(std::uint8_t lowest_byte) : state_(static_cast<std::uint8_t>(0x25 + lowest_byte)) {}

    /// Returns 2^`doublings` different keys with the same hash.
    std::vector<std::string> make(std::size_t doublings) {
        std::vector<std::string> keys{""};
        for (std::size_t i = 0; i < doublings; ++i) {
            for (std::string& key : keys) key += steering();
            state_ = 0;
            keys = doubled(keys);
        }
        return keys;
    }

 private:
    // Two texts that turn every hash whose lowest byte is 0 into the same hash. They were found by lattice reduction:
    // the lowest byte is known at each step, so each step adds a known number before it multiplies.
    static constexpr std::string_view left = "t4L)5_<~3XMc{/", right = "ruC}.Apl7UX9Y*";

    std::vector<std::string> doubled(const std::vector<std::string>& keys) {
        std::vector<std::string> out;
        for (const std::string& key : keys) {
            out.push_back(key + std::string(left));
            out.push_back(key + std::string(right));
        }
        for (const char c : left) step(c);
        return out;
    }

    void step(char c) { state_ = static_cast<std::uint8_t>((state_ ^ static_cast<std::uint8_t>(c)) * 0xB3); }

    // Returns letters after which the lowest byte of the hash is 0.
    std::string steering() const {
        for (char first = '#'; first < '\\'; ++first)
            for (char second = '#'; second < '\\'; ++second) {
                const auto between = static_cast<std::uint8_t>((state_ ^ static_cast<std::uint8_t>(first)) * 0xB3);
                if (between == static_cast<std::uint8_t>(second)) return {first, second};
            }
        return {};
    }

    std::uint8_t state_;
};

inline std::string object_text(const std::vector<std::string>& keys) {
    std::string out = "{";
    for (const std::string& key : keys) out += (out.size() > 1 ? ",\"" : "\"") + key + "\":0";
    return out + "}";
}

/// Returns an object of which some keys collide at every address of its table. The lowest byte of the address has 16
/// possible values.
inline std::string colliding_object() {
    std::vector<std::string> keys;
    for (int byte = 0; byte < 256; byte += 16)
        for (std::string& key : CollidingKeys(static_cast<std::uint8_t>(byte)).make(9)) keys.push_back(std::move(key));
    return object_text(keys);
}

}  // namespace tenon::json::testing
