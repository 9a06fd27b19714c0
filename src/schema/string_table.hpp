// StringTable: a set of numbered strings. It is built once, and a lookup does not allocate.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::schema {

class StringTable {
 public:
    static constexpr std::uint32_t absent = UINT32_MAX;

    StringTable() = default;
    /// All strings must be different. The number of a string is its index in the list.
    explicit StringTable(const std::vector<std::string_view>& strings);

    std::size_t size() const { return entries_.size() - 1; }
    std::string_view operator[](std::uint32_t i) const { return text(entries_[i]); }

    std::uint32_t find(std::string_view s) const { return find_anywhere(s, ends_of(s)); }

    /// Finds a string that probably has the number `guess`. `guess` is at most size().
    std::uint32_t find(std::string_view s, std::uint32_t guess) const {
        const Entry& likely = entries_[guess];
        const Ends ends = ends_of(s);
        if (likely.size == s.size() && likely.ends == ends && s.size() <= all_in_ends) [[likely]]
            return guess;
        return find_anywhere(s, ends);
    }

 private:
    // Samples from both ends of a string. They contain the whole string when it has at most 16 bytes.
    static constexpr std::size_t all_in_ends = 16;
    struct Ends {
        std::uint64_t head = 0, tail = 0;
        friend bool operator==(const Ends&, const Ends&) = default;
    };
    struct Entry {
        Ends ends;
        std::size_t size = SIZE_MAX;  // no string has this size
        std::size_t offset = 0;
    };

    std::string_view text(const Entry& e) const { return {pool_.data() + e.offset, e.size}; }
    bool same(const Entry& e, std::string_view s, const Ends& ends) const {
        if (e.size != s.size() || e.ends != ends) return false;
        return s.size() <= all_in_ends || std::memcmp(pool_.data() + e.offset, s.data(), s.size()) == 0;
    }

    static std::uint64_t byte(std::string_view s, std::size_t at) { return static_cast<unsigned char>(s[at]); }
    static std::uint64_t four_bytes(std::string_view s, std::size_t at) {
        std::uint32_t bytes;
        std::memcpy(&bytes, s.data() + at, sizeof bytes);
        return bytes;
    }

    // Takes four samples, which overlap in a short string. Code that is the same for all sizes is faster than branches.
    static Ends ends_of(std::string_view s) {
        const std::size_t size = s.size();
        if (size >= 4) [[likely]] {
            const std::size_t inwards = size / 8 * 4;
            return {four_bytes(s, 0) << 32 | four_bytes(s, inwards),
                    four_bytes(s, size - 4) << 32 | four_bytes(s, size - 4 - inwards)};
        }
        if (size == 0) return {};
        return {byte(s, 0), byte(s, size / 2) << 8 | byte(s, size - 1)};
    }

    // Names usually differ at their ends. When too many names collide, the table falls back to a binary search.
    static std::uint64_t hash(const Ends& ends, std::size_t size) {
        const std::uint64_t h = (ends.head ^ (ends.tail << 1) ^ size) * 0x9E3779B97F4A7C15ULL;
        return h ^ (h >> 32);
    }

    std::uint32_t find_anywhere(std::string_view s, Ends ends) const;
    std::uint32_t find_sorted(std::string_view s) const;
    void sort();

    std::string pool_;
    std::vector<Entry> entries_{Entry{}};  // one extra entry at the end, so a guess of size() needs no check
    std::vector<std::uint32_t> slots_{0};  // 0: free; otherwise the index of the entry + 1
    std::vector<std::uint32_t> order_;     // indexes in the order of their strings, if sorted_
    std::size_t mask_ = 0;
    bool sorted_ = false;
};

}  // namespace tenon::schema
