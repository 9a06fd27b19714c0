#include "schema/regex_runs.hpp"

#include <algorithm>
#include <optional>

namespace tenon::schema {
namespace {

using Kind = RegexTerm::Kind;

constexpr std::size_t max_sets = 8;

// Returns the set as bytes, or nothing if bytes cannot express it. The set must contain all characters outside ASCII or
// none. If it contains all, bytes cannot be counted as characters, so only the repetitions "+" and "*" are possible.
std::optional<std::array<bool, 256>> bytes_of(const CodePoints& set, std::uint32_t min, std::uint32_t max) {
    if (!set.properties.empty()) return std::nullopt;
    std::array<bool, 256> out{};
    for (const auto& r : resolved_ranges(set)) {
        if (r.last > 0x7F) {
            if (r.first > 0x80 || r.last != max_code_point || max != RegexTerm::unbounded || min > 1)
                return std::nullopt;
        }
        for (char32_t c = r.first; c <= std::min<char32_t>(r.last, 0xFF); ++c) out[c] = true;
    }
    return out;
}

}  // namespace

RegexRuns RegexRuns::build(const Regex& regex) {
    RegexRuns out;
    out.usable_ = out.add_term(regex, regex.root) && out.from_the_start_ && out.neighbours_differ();
    return out;
}

bool RegexRuns::add_term(const Regex& regex, std::uint32_t id) {
    const RegexTerm& term = regex.terms[id];
    switch (term.kind) {
        case Kind::start:
            if (from_the_start_ || !runs_.empty() || to_the_end_) return false;
            return from_the_start_ = true;
        case Kind::end:
            if (to_the_end_) return false;
            return to_the_end_ = true;
        case Kind::one_of: return add_run(regex.sets[term.set], 1, 1);
        case Kind::repeat: {
            const RegexTerm* child = &regex.terms[term.children[0]];
            while (child->kind == Kind::sequence && child->children.size() == 1)
                child = &regex.terms[child->children[0]];
            return child->kind == Kind::one_of && add_run(regex.sets[child->set], term.min, term.max);
        }
        case Kind::sequence:
            return std::all_of(term.children.begin(), term.children.end(),
                               [&](std::uint32_t child) { return add_term(regex, child); });
        default: return false;
    }
}

bool RegexRuns::add_run(const CodePoints& set, std::uint32_t min, std::uint32_t max) {
    if (to_the_end_ || !from_the_start_) return false;
    const auto bytes = bytes_of(set, min, max);
    if (!bytes) return false;
    const auto known = std::find(members_.begin(), members_.end(), *bytes);
    const auto bit = static_cast<std::size_t>(known - members_.begin());
    if (known == members_.end()) {
        if (members_.size() == max_sets) return false;
        members_.push_back(*bytes);
        for (std::size_t b = 0; b < 256; ++b)
            if ((*bytes)[b]) sets_[b] = static_cast<std::uint8_t>(sets_[b] | 1u << bit);
    }
    runs_.push_back({static_cast<std::uint8_t>(1u << bit), min, max - min});
    return true;
}

// A run of variable length must share no characters with the runs after it, up to and including the next run that
// cannot be empty.
bool RegexRuns::neighbours_differ() const {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        if (runs_[i].more == 0) continue;
        for (std::size_t j = i + 1; j < runs_.size(); ++j) {
            const auto both = static_cast<std::uint8_t>(runs_[i].set | runs_[j].set);
            if (both == runs_[i].set) return false;
            if (std::any_of(sets_.begin(), sets_.end(), [both](std::uint8_t s) { return (s & both) == both; }))
                return false;
            if (runs_[j].min > 0) break;
        }
    }
    return true;
}

}  // namespace tenon::schema
