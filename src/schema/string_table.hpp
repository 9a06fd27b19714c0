// StringTable: a set of strings, each with a number, that is built once and looked up without allocation.
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
    /// The strings are different; the number of each is its place in the list.
    explicit StringTable(const std::vector<std::string_view>& strings);

    std::size_t size() const { return entries_.size() - 1; }
    std::string_view operator[](std::uint32_t i) const { return text(entries_[i]); }

    std::uint32_t find(std::string_view s) const { return find_anywhere(s, ends_of(s)); }

    /// The same, where the string is likely to be the one of this number, which is at most size().
    std::uint32_t find(std::string_view s, std::uint32_t guess) const {
        const Entry& likely = entries_[guess];
        const Ends ends = ends_of(s);
        if (likely.size == s.size() && likely.ends == ends && s.size() <= all_in_ends) [[likely]]
            return guess;
        return find_anywhere(s, ends);
    }

 private:
    // Samples from both ends of a string. Up to 16 bytes they are all there is to it.
    static constexpr std::size_t all_in_ends = 16;
    struct Ends {
        std::uint64_t head = 0, tail = 0;
        friend bool operator==(const Ends&, const Ends&) = default;
    };
    struct Entry {
        Ends ends;
        std::size_t size = SIZE_MAX;  // of no string
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

    // Four samples that overlap as much as they must: one way for all sizes is quicker than a choice of ways.
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

    // Names differ at their ends; a chain that grows long for lack of difference falls back to a binary search.
    static std::uint64_t hash(const Ends& ends, std::size_t size) {
        const std::uint64_t h = (ends.head ^ (ends.tail << 1) ^ size) * 0x9E3779B97F4A7C15ULL;
        return h ^ (h >> 32);
    }

    std::uint32_t find_anywhere(std::string_view s, Ends ends) const;
    std::uint32_t find_sorted(std::string_view s) const;
    void sort();

    std::string pool_;
    std::vector<Entry> entries_{Entry{}};  // one more than there are strings: a guess needs no check
    std::vector<std::uint32_t> slots_{0};  // 0: free; otherwise the entry's place + 1
    std::vector<std::uint32_t> order_;     // places in the order of their strings, when sorted_
    std::size_t mask_ = 0;
    bool sorted_ = false;
};

}  // namespace tenon::schema
