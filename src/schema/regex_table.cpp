#include "schema/regex_table.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "schema/regex_automaton.hpp"

namespace tenon::schema {

// The subset construction: a row of the table is a set of states of the automaton.
class RegexTableBuilder {
 public:
    RegexTableBuilder(const Automaton& automaton, std::size_t& work) : automaton_(automaton), work_(work) {}

    RegexTable build() {
        find_classes();
        row({});                  // rejects every further byte
        row({match_everywhere});  // accepts every further byte
        restart_ = closure({automaton_.start}, false, false);
        table_.start_ = row(closure({automaton_.start}, true, false));
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            if (!affordable()) return {};
            fill(i);
        }
        if (sees_start_after_end()) return {};
        return std::move(table_);
    }

 private:
    using Set = std::vector<std::uint32_t>;  // sorted
    static constexpr std::uint32_t match_everywhere = UINT32_MAX;
    static constexpr std::size_t max_cells = UINT16_MAX;

    // "$^" matches the empty text only. The row of the start is also a row for the middle of a text, so the table
    // cannot tell the two places apart. RegexSearch matches such expressions.
    bool sees_start_after_end() {
        const Set& first = *sets_[table_.start_ / table_.width_];
        return table_.start_ > table_.width_ && accepts(first, true) != accepts(first, false);
    }

    bool affordable() {
        const std::size_t cost = automaton_.states.size() / 4 + 16;
        // Filling one row may add one row for each of its columns.
        if (work_ < cost || (sets_.size() + table_.width_) * table_.width_ > max_cells) return false;
        work_ -= cost;
        return true;
    }

    // Bytes that all states treat alike share a column.
    void find_classes() {
        std::array<bool, 257> begins{};
        begins[0] = true;
        for (const auto& s : automaton_.states) {
            if (s.kind != Automaton::State::Kind::byte || s.low > s.high) continue;
            begins[s.low] = true;
            begins[std::size_t{s.high} + 1] = true;
        }
        std::uint8_t last = 0;
        for (std::size_t b = 0; b < 256; ++b) {
            if (b > 0 && begins[b]) ++last;
            table_.classes_[b] = last;
            if (begins[b]) representatives_.push_back(static_cast<std::uint8_t>(b));
        }
        table_.width_ = static_cast<std::uint32_t>(representatives_.size());
    }

    Set closure(const Set& from, bool at_start, bool at_end) {
        std::vector<bool> seen(automaton_.states.size());
        Set stack = from, out;
        while (!stack.empty()) {
            const std::uint32_t id = stack.back();
            stack.pop_back();
            if (seen[id]) continue;
            seen[id] = true;
            const auto& s = automaton_.states[id];
            using Kind = Automaton::State::Kind;
            if (s.kind == Kind::split) {
                stack.push_back(s.next);
                stack.push_back(s.other);
            } else if ((s.kind == Kind::at_start && at_start) || (s.kind == Kind::at_end && at_end)) {
                stack.push_back(s.next);
            }
            if (s.kind == Kind::byte || s.kind == Kind::match || s.kind == Kind::at_end) out.push_back(id);
        }
        std::sort(out.begin(), out.end());
        return out;
    }

    bool has_match(const Set& set) const {
        return std::any_of(set.begin(), set.end(), [this](std::uint32_t id) {
            return automaton_.states[id].kind == Automaton::State::Kind::match;
        });
    }

    bool accepts(const Set& set, bool at_start) { return has_match(closure(set, at_start, true)); }

    std::uint32_t row(Set set) {
        if (!set.empty() && set[0] != match_everywhere && has_match(set)) set = {match_everywhere};
        const auto [at, is_new] =
            rows_.emplace(std::move(set), static_cast<std::uint32_t>(rows_.size()) * table_.width_);
        if (is_new) {
            sets_.push_back(&at->first);
            table_.next_.resize(sets_.size() * table_.width_);
            const bool everywhere = !at->first.empty() && at->first[0] == match_everywhere;
            table_.accepts_at_end_.push_back(everywhere || accepts(everywhere ? Set{} : at->first, false));
        }
        return at->second;
    }

    void fill(std::size_t i) {
        if (i < 2) return fill_sink(i);
        for (std::size_t c = 0; c < representatives_.size(); ++c) {
            const std::uint32_t next = row(after(*sets_[i], representatives_[c]));
            table_.next_[i * table_.width_ + c] = static_cast<std::uint16_t>(next);
            work_ -= std::min<std::size_t>(work_, sets_[i]->size() + 1);
        }
    }

    void fill_sink(std::size_t i) {
        std::fill_n(table_.next_.begin() + static_cast<std::ptrdiff_t>(i * table_.width_), table_.width_,
                    static_cast<std::uint16_t>(i * table_.width_));
    }

    // Returns the states after this byte. A new match may also begin after this byte.
    Set after(const Set& set, std::uint8_t byte) {
        Set targets;
        for (const std::uint32_t id : set) {
            const auto& s = automaton_.states[id];
            if (s.kind == Automaton::State::Kind::byte && byte >= s.low && byte <= s.high) targets.push_back(s.next);
        }
        Set reached = targets.empty() ? Set{} : closure(targets, false, false);
        work_ -= std::min(work_, targets.empty() ? 0 : automaton_.states.size() / 8);
        Set out;
        std::set_union(reached.begin(), reached.end(), restart_.begin(), restart_.end(), std::back_inserter(out));
        return out;
    }

    const Automaton& automaton_;
    std::size_t& work_;
    RegexTable table_;
    std::vector<std::uint8_t> representatives_;
    std::map<Set, std::uint32_t> rows_;
    std::vector<const Set*> sets_;
    Set restart_;
};

RegexTable RegexTable::build(const Regex& regex, std::size_t& work) {
    constexpr std::size_t max_states = 600;
    std::size_t steps = 10 * max_states;
    const auto automaton = make_automaton(regex, Alphabet::bytes, {max_states, steps});
    if (!automaton) return {};
    return RegexTableBuilder(*automaton, work).build();
}

}  // namespace tenon::schema
