// RegexRuns: matches the simplest regular expressions, which are the most common ones in schemas: "^[A-Z]{3}-[0-9]+$".
//
// Such an expression is a sequence of runs. A run is a set of characters with a count, and no character can belong to
// two neighbouring runs. So no states are needed: each run takes as many characters as it can. The processor predicts
// these loops well, whereas a table of states makes it wait for every byte.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schema/regex_syntax.hpp"

namespace tenon::schema {

class RegexRuns {
 public:
    /// Returns an empty object when the expression is not of this kind.
    static RegexRuns build(const Regex& regex);

    bool empty() const { return !usable_; }
    std::size_t count() const { return runs_.size(); }

    bool matches(std::string_view text) const {
        const char* p = text.data();
        const char* const end = p + text.size();
        for (const Run& run : runs_) {
            if (static_cast<std::size_t>(end - p) < run.min) return false;
            if (!all_in(run.set, p, p + run.min)) return false;
            p += run.min;
            if (run.more == 0) continue;
            const char* const stop = static_cast<std::size_t>(end - p) > run.more ? p + run.more : end;
            while (p != stop && (sets_of(*p) & run.set) != 0) ++p;
        }
        return p == end || !to_the_end_;
    }

 private:
    struct Run {
        std::uint8_t set;         // the bit of the set in sets_
        std::uint32_t min, more;  // number of required bytes, and of further bytes that may follow
    };

    std::uint8_t sets_of(char c) const { return sets_[static_cast<unsigned char>(c)]; }

    // Does not branch on every byte, because most texts match.
    bool all_in(std::uint8_t set, const char* p, const char* end) const {
        for (; p != end; ++p) set &= sets_of(*p);
        return set != 0;
    }

    bool add_term(const Regex& regex, std::uint32_t id);
    bool add_run(const CodePoints& set, std::uint32_t min, std::uint32_t max);
    bool neighbours_differ() const;

    std::vector<Run> runs_;
    bool from_the_start_ = false, to_the_end_ = false, usable_ = false;
    std::array<std::uint8_t, 256> sets_{};  // for each byte: the sets that contain it
    std::vector<std::array<bool, 256>> members_;
};

}  // namespace tenon::schema
