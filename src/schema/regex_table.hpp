// RegexTable: a small regular expression as a table of states, built once. RegexSearch matches the larger ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/regex_syntax.hpp"

namespace tenon::schema {

class RegexTable {
 public:
    /// Returns an empty table when the expression needs too many states, a Unicode property or a word boundary, or when
    /// building the table takes more than the remaining `work`.
    static RegexTable build(const Regex& regex, std::size_t& work);

    bool empty() const { return next_.empty(); }

    /// Returns whether the expression matches anywhere in the text.
    bool matches(std::string_view text) const {
        const std::uint16_t* next = next_.data();
        std::uint32_t state = start_;
        for (const char c : text) {
            if (state <= width_) return state == width_;
            state = next[state + classes_[static_cast<unsigned char>(c)]];
        }
        return accepts_at_end_[state / width_] != 0;
    }

 private:
    friend class RegexTableBuilder;

    // A state is the offset of its row in next_. The first row rejects every further byte. The second row, at width_,
    // accepts every further byte.
    std::array<std::uint8_t, 256> classes_{};
    std::vector<std::uint16_t> next_;
    std::vector<std::uint8_t> accepts_at_end_;
    std::uint32_t width_ = 1, start_ = 0;
};

}  // namespace tenon::schema
