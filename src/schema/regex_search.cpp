#include "schema/regex_search.hpp"

#include <algorithm>

#include "schema/text.hpp"

namespace tenon::schema {
namespace {

using State = Automaton::State;
using StateKind = State::Kind;

constexpr std::uint32_t max_repetitions_of_states = 1000;

// The facts about a place in the text that an assertion can test.
struct Surroundings {
    bool start, end, boundary;
};

bool is_word_byte(char c) { return is_alnum(c) || c == '_'; }

Surroundings surroundings(std::string_view text, std::size_t at) {
    const bool before = at > 0 && is_word_byte(text[at - 1]);
    const bool after = at < text.size() && is_word_byte(text[at]);
    return {at == 0, at == text.size(), before != after};
}

bool holds(StateKind assertion, const Surroundings& here) {
    switch (assertion) {
        case StateKind::at_start: return here.start;
        case StateKind::at_end: return here.end;
        case StateKind::word_boundary: return here.boundary;
        default: return !here.boundary;
    }
}

// Returns whether a match can only begin at the start of the text.
bool only_at_start(const Automaton& automaton) {
    std::vector<bool> seen(automaton.states.size());
    std::vector<std::uint32_t> open{automaton.start};
    while (!open.empty()) {
        const std::uint32_t id = open.back();
        open.pop_back();
        const State& state = automaton.states[id];
        if (seen[id] || state.kind == StateKind::at_start) continue;
        seen[id] = true;
        if (state.kind == StateKind::match || state.kind == StateKind::set) return false;
        open.push_back(state.next);
        if (state.kind == StateKind::split) open.push_back(state.other);
    }
    return true;
}

// A repetition of n times makes n copies of its states, so n is limited.
bool repeats_too_often(const Regex& regex) {
    constexpr std::uint32_t most = max_repetitions_of_states;
    return std::any_of(regex.terms.begin(), regex.terms.end(), [](const RegexTerm& t) {
        return t.kind == RegexTerm::Kind::repeat && (t.min > most || (t.max > most && t.max != RegexTerm::unbounded));
    });
}

}  // namespace

// One search through one text.
class RegexRun {
 public:
    RegexRun(const RegexSearch& search, Budget& budget)
        : states_(search.automaton_.states), search_(search), budget_(budget), seen_(states_.size()) {}

    bool found_in(std::string_view text) {
        std::string_view rest = text;
        active_.push_back(search_.automaton_.start);
        while (!reaches_match(surroundings(text, text.size() - rest.size()))) {
            if (budget_.spent() || rest.empty()) return false;
            advance(take_code_point(rest));
            if (!search_.anchored_)
                active_.push_back(search_.automaton_.start);
            else if (active_.empty())
                return false;
        }
        return true;
    }

 private:
    // Follows all transitions that consume no character, from the active states to the next states with a character
    // set. Returns whether a match was reached.
    bool reaches_match(const Surroundings& here) {
        ++place_;
        reached_.clear();
        std::size_t visited = 0;
        bool found = false;
        while (!active_.empty() && !found) {
            const std::uint32_t id = active_.back();
            active_.pop_back();
            if (seen_[id] == place_) continue;
            seen_[id] = place_;
            ++visited;
            found = follow(states_[id], here);
        }
        active_.clear();
        budget_.spend(1 + visited / 2);
        return found && !budget_.spent();
    }

    bool follow(const State& state, const Surroundings& here) {
        switch (state.kind) {
            case StateKind::match: return true;
            case StateKind::set: reached_.push_back(&state); return false;
            case StateKind::split:
                active_.push_back(state.other);
                active_.push_back(state.next);
                return false;
            default:
                if (holds(state.kind, here)) active_.push_back(state.next);
                return false;
        }
    }

    void advance(char32_t c) {
        for (const State* state : reached_)
            if (search_.sets_[state->other].contains(c, budget_)) active_.push_back(state->next);
    }

    const std::vector<State>& states_;
    const RegexSearch& search_;
    Budget& budget_;
    std::vector<std::uint32_t> seen_;  // for each state: the last place in the text where it was reached
    std::uint32_t place_ = 0;
    std::vector<std::uint32_t> active_;
    std::vector<const State*> reached_;
};

RegexSearch::RegexSearch(Automaton automaton, std::vector<CharSet> sets)
    : automaton_(std::move(automaton)), sets_(std::move(sets)), anchored_(only_at_start(automaton_)) {}

Error cannot_have(std::string_view what) {
    return {code::invalid_params, "the regular expression has " + std::string(what) + "; rewrite it without"};
}

Error too_complex(std::string_view need, std::size_t limit, std::string_view what) {
    return {code::invalid_params, "the pattern is too complex: " + std::string(need) + " more than " +
                                      std::to_string(limit) + " " + std::string(what) + "; simplify it"};
}

Result<RegexSearch> RegexSearch::build(const Regex& regex, const Limits& limits, PatternBudget& budget) {
    const auto too_many_steps = [&] {
        return too_complex("the patterns of the schema take", limits.max_pattern_work,
                           "steps to compile (max_pattern_work)");
    };
    if (repeats_too_often(regex)) return cannot_have("a repetition above " + std::to_string(max_repetitions_of_states));
    auto automaton = make_automaton(regex, Alphabet::code_points, {limits.max_pattern_states, budget.steps});
    if (!automaton && budget.steps == 0) return too_many_steps();
    if (!automaton) return too_complex("it needs", limits.max_pattern_states, "states (max_pattern_states)");
    std::vector<CharSet> sets;
    sets.reserve(regex.sets.size());
    for (const CodePoints& set : regex.sets) {
        auto built = CharSet::build(set, budget.properties, budget.steps);
        if (!built) return budget.steps == 0 ? too_many_steps() : cannot_have(built.error().message);
        sets.push_back(*std::move(built));
    }
    RegexSearch out(*std::move(automaton), std::move(sets));
    if (out.size() > budget.memory)
        return too_complex("the patterns of the schema need", limits.max_pattern_memory,
                           "bytes of memory (max_pattern_memory)");
    budget.memory -= out.size();
    return out;
}

bool RegexSearch::matches(std::string_view text, Budget& budget) const {
    constexpr std::size_t setup_steps = 10;
    if (!budget.spend(setup_steps + automaton_.states.size() / 64)) return false;
    return RegexRun(*this, budget).found_in(text);
}

std::size_t RegexSearch::size() const {
    std::size_t bytes = automaton_.states.size() * sizeof(Automaton::State);
    for (const CharSet& set : sets_) bytes += set.size();
    return bytes;
}

}  // namespace tenon::schema
