// RegexTable: a small regular expression as a table of states, built once. Bigger ones are left to RE2.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/regex_syntax.hpp"

namespace tenon::schema {

class RegexTable {
 public:
    /// Empty when the expression needs too many states, a Unicode property or a word boundary.
    static RegexTable build(const Regex& regex);

    bool empty() const { return next_.empty(); }

    bool matches(std::string_view text) const {
        std::uint32_t state = start_;
        for (const char c : text) {
            state = next_[state + classes_[static_cast<unsigned char>(c)]];
            if (state <= accept_all_) return state == accept_all_;
        }
        return accepting_at_end_[state / width_];
    }

 private:
    // States are written as offsets into next_. The first is dead, the second accepts whatever follows.
    std::array<std::uint8_t, 256> classes_{};
    std::vector<std::uint32_t> next_;
    std::vector<std::uint8_t> accepting_at_end_;
    std::uint32_t width_ = 1, start_ = 0, accept_all_ = 0;
};

}  // namespace tenon::schema
