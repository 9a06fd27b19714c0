#include "schema/regex_automaton.hpp"

#include <array>
#include <string>

#include "schema/text.hpp"

namespace tenon::schema {
namespace {

using State = Automaton::State;
using Kind = RegexTerm::Kind;
using Range = CodePoints::Range;

// Builds from the end to the start: each function takes the next state and returns the first state of its part. Every
// visit of a term is counted as a step. So copies of a term that adds no states are counted too.
class Builder {
 public:
    Builder(const Regex& regex, Alphabet alphabet, AutomatonLimits limits)
        : regex_(regex), alphabet_(alphabet), limits_(limits) {}

    std::optional<Automaton> build() {
        const std::uint32_t match = add({});
        out_.start = term(regex_.root, match);
        if (failed_) return std::nullopt;
        return std::move(out_);
    }

 private:
    std::uint32_t add(State state) {
        if (out_.states.size() >= limits_.max_states) failed_ = true;
        if (failed_) return 0;
        out_.states.push_back(state);
        return static_cast<std::uint32_t>(out_.states.size() - 1);
    }
    std::uint32_t split(std::uint32_t a, std::uint32_t b) {
        if (a == b) return a;
        return add({.kind = State::Kind::split, .next = a, .other = b});
    }
    std::uint32_t byte(unsigned low, unsigned high, std::uint32_t next) {
        return add({State::Kind::byte, static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high), next, 0});
    }
    std::uint32_t boundary(State::Kind kind, std::uint32_t next) {
        if (alphabet_ == Alphabet::bytes) failed_ = true;
        return add({.kind = kind, .next = next});
    }

    void count_step() {
        if (limits_.steps == 0)
            failed_ = true;
        else
            --limits_.steps;
    }

    std::uint32_t term(std::uint32_t id, std::uint32_t next) {
        count_step();
        if (failed_) return 0;
        const RegexTerm& t = regex_.terms[id];
        switch (t.kind) {
            case Kind::start: return add({.kind = State::Kind::at_start, .next = next});
            case Kind::end: return add({.kind = State::Kind::at_end, .next = next});
            case Kind::word_boundary: return boundary(State::Kind::word_boundary, next);
            case Kind::no_word_boundary: return boundary(State::Kind::no_word_boundary, next);
            case Kind::one_of: return one_of(t.set, next);
            case Kind::repeat: return repeat(t, next);
            case Kind::sequence:
                for (auto child = t.children.rbegin(); child != t.children.rend(); ++child) next = term(*child, next);
                return next;
            case Kind::alternatives: {
                std::uint32_t first = term(t.children.back(), next);
                for (auto child = t.children.rbegin() + 1; child != t.children.rend(); ++child)
                    first = split(term(*child, next), first);
                return first;
            }
        }
        return 0;
    }

    std::uint32_t repeat(const RegexTerm& t, std::uint32_t next) {
        const std::uint32_t child = t.children[0];
        next = t.max == RegexTerm::unbounded ? loop(child, next) : optional_copies(child, t.max - t.min, next);
        for (std::uint32_t i = 0; i < t.min && !failed_; ++i) {
            const std::uint32_t after = next;
            next = term(child, next);
            if (next == after) break;  // the term matches only the empty text, and so do all further copies
        }
        return next;
    }

    std::uint32_t loop(std::uint32_t child, std::uint32_t next) {
        const std::uint32_t head = add({.kind = State::Kind::split, .other = next});
        const std::uint32_t body = term(child, head);
        if (failed_) return 0;
        out_.states[head].next = body;
        return head;
    }

    std::uint32_t optional_copies(std::uint32_t child, std::uint32_t count, std::uint32_t next) {
        const std::uint32_t after = next;
        for (std::uint32_t i = 0; i < count && !failed_; ++i) {
            const std::uint32_t body = term(child, next);
            if (body == next) break;  // the term matches only the empty text
            next = split(body, after);
        }
        return next;
    }

    std::uint32_t one_of(std::uint32_t id, std::uint32_t next) {
        if (alphabet_ == Alphabet::code_points) return add({.kind = State::Kind::set, .next = next, .other = id});
        const CodePoints& set = regex_.sets[id];
        if (!set.properties.empty()) failed_ = true;
        std::uint32_t all = 0;
        bool any = false;
        for (const Range& r : resolved_ranges(set)) {
            const std::uint32_t one = range(r, next);
            if (failed_) return 0;
            all = any ? split(one, all) : one;
            any = true;
        }
        return any ? all : byte(1, 0, next);  // the empty set matches no byte
    }

    // Splits a range into ranges of code points that have the same size in UTF-8. Leaves out the surrogates, which are
    // not valid in UTF-8.
    std::uint32_t range(Range r, std::uint32_t next) {
        constexpr std::array<Range, 5> sizes{
            Range{0, 0x7F}, {0x80, 0x7FF}, {0x800, 0xD7FF}, {0xE000, 0xFFFF}, {0x10000, max_code_point}};
        std::uint32_t all = 0;
        bool any = false;
        for (const Range& size : sizes) {
            const Range part{std::max(r.first, size.first), std::min(r.last, size.last)};
            if (part.first > part.last) continue;
            const std::uint32_t one = same_size(part, next);
            all = any ? split(one, all) : one;
            any = true;
        }
        return any ? all : byte(1, 0, next);
    }

    std::uint32_t same_size(Range r, std::uint32_t next) {
        std::string low, high;
        append_utf8(low, r.first);
        append_utf8(high, r.last);
        return byte_range(low, high, next);
    }

    // Matches all byte sequences from `low` to `high`, which have the same size. For the lowest and the highest first
    // byte, the remaining bytes have a narrower range.
    std::uint32_t byte_range(std::string_view low, std::string_view high, std::uint32_t next) {
        const auto first = static_cast<unsigned char>(low[0]), last = static_cast<unsigned char>(high[0]);
        if (low.size() == 1) return byte(first, last, next);
        const std::string lowest(low.size() - 1, '\x80'), highest(low.size() - 1, '\xBF');
        const std::string_view low_rest = low.substr(1), high_rest = high.substr(1);
        if (first == last) return byte(first, last, byte_range(low_rest, high_rest, next));
        unsigned from = first, to = last;
        std::uint32_t all = 0;
        bool any = false;
        const auto with = [&](std::uint32_t one) {
            all = any ? split(one, all) : one;
            any = true;
        };
        if (low_rest != lowest) with(byte(from++, first, byte_range(low_rest, highest, next)));
        if (high_rest != highest) with(byte(to--, last, byte_range(lowest, high_rest, next)));
        if (from <= to) with(byte(from, to, byte_range(lowest, highest, next)));
        return all;
    }

    const Regex& regex_;
    Alphabet alphabet_;
    AutomatonLimits limits_;
    Automaton out_;
    bool failed_ = false;
};

}  // namespace

std::optional<Automaton> make_automaton(const Regex& regex, Alphabet alphabet, AutomatonLimits limits) {
    return Builder(regex, alphabet, limits).build();
}

}  // namespace tenon::schema
