#include "schema/string_table.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tenon::schema {

StringTable::StringTable(const std::vector<std::string_view>& strings) {
    constexpr std::size_t longest_chain = 16;
    for (const auto s : strings) {
        entries_.back() = {ends_of(s), s.size(), pool_.size()};
        entries_.emplace_back();
        pool_ += s;
    }
    slots_.assign(std::bit_ceil(strings.size() * 2 + 1), 0);
    mask_ = slots_.size() - 1;
    for (std::uint32_t i = 0; i < strings.size(); ++i) {
        std::size_t slot = hash(entries_[i].ends, strings[i].size()) & mask_, chain = 0;
        for (; slots_[slot] != 0; slot = (slot + 1) & mask_)
            if (++chain > longest_chain) {
                sort();
                return;
            }
        slots_[slot] = i + 1;
    }
}

void StringTable::sort() {
    sorted_ = true;
    order_.resize(size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [this](auto a, auto b) { return (*this)[a] < (*this)[b]; });
}

std::uint32_t StringTable::find_anywhere(std::string_view s, Ends ends) const {
    if (sorted_) return find_sorted(s);
    for (std::size_t slot = hash(ends, s.size()) & mask_; slots_[slot] != 0; slot = (slot + 1) & mask_) {
        const std::uint32_t i = slots_[slot] - 1;
        if (same(entries_[i], s, ends)) return i;
    }
    return absent;
}

std::uint32_t StringTable::find_sorted(std::string_view s) const {
    const auto at = std::lower_bound(order_.begin(), order_.end(), s,
                                     [this](std::uint32_t i, std::string_view key) { return (*this)[i] < key; });
    return at != order_.end() && (*this)[*at] == s ? *at : absent;
}

}  // namespace tenon::schema
