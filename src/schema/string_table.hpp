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

    std::size_t size() const { return entries_.size(); }
    std::string_view operator[](std::uint32_t i) const { return text(entries_[i]); }

    std::uint32_t find(std::string_view s) const { return find(s, 0); }

    /// The same, where the string is likely to be the one of this number.
    std::uint32_t find(std::string_view s, std::uint32_t guess) const {
        const Ends ends = ends_of(s);
        if (guess < entries_.size() && same(entries_[guess], s, ends)) return guess;
        if (sorted_) return find_sorted(s);
        for (std::size_t slot = hash(ends, s.size()) & mask_; slots_[slot] != 0; slot = (slot + 1) & mask_) {
            const std::uint32_t i = slots_[slot] - 1;
            if (same(entries_[i], s, ends)) return i;
        }
        return absent;
    }

 private:
    // The first and the last bytes of a string. Up to 16 bytes they are all there is to it.
    struct Ends {
        std::uint64_t head = 0, tail = 0;
        friend bool operator==(const Ends&, const Ends&) = default;
    };
    struct Entry {
        Ends ends;
        std::size_t size = 0;
        std::size_t offset = 0;
    };

    std::string_view text(const Entry& e) const { return {pool_.data() + e.offset, e.size}; }
    bool same(const Entry& e, std::string_view s, const Ends& ends) const {
        if (e.size != s.size() || e.ends != ends) return false;
        return s.size() <= 16 || std::memcmp(pool_.data() + e.offset, s.data(), s.size()) == 0;
    }

    static Ends ends_of(std::string_view s) {
        std::uint64_t head = 0, tail = 0;
        if (s.size() >= 8) {
            std::memcpy(&head, s.data(), 8);
            std::memcpy(&tail, s.data() + s.size() - 8, 8);
        } else if (s.size() >= 4) {
            std::memcpy(&head, s.data(), 4);
            std::memcpy(&tail, s.data() + s.size() - 4, 4);
        } else if (!s.empty()) {
            head = static_cast<unsigned char>(s[0]);
            tail = static_cast<std::uint64_t>(static_cast<unsigned char>(s[s.size() / 2])) << 8 |
                   static_cast<unsigned char>(s[s.size() - 1]);
        }
        return {head, tail};
    }

    // Names differ at their ends; a chain that grows long for lack of difference falls back to a binary search.
    static std::uint64_t hash(const Ends& ends, std::size_t size) {
        const std::uint64_t h = (ends.head ^ (ends.tail << 1) ^ size) * 0x9E3779B97F4A7C15ULL;
        return h ^ (h >> 32);
    }

    std::uint32_t find_sorted(std::string_view s) const;
    void sort();

    std::string pool_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> slots_{0};  // 0: free; otherwise the entry's place + 1
    std::vector<std::uint32_t> order_;     // places in the order of their strings, when sorted_
    std::size_t mask_ = 0;
    bool sorted_ = false;
};

}  // namespace tenon::schema
