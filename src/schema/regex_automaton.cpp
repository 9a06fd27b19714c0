#include "schema/regex_automaton.hpp"

#include <array>
#include <string>

#include "schema/text.hpp"

namespace tenon::schema {
namespace {

using State = Automaton::State;
using Kind = RegexTerm::Kind;
using Range = CodePoints::Range;

// Builds from the end to the start: every function takes the state that follows and returns the one to begin with.
class Builder {
 public:
    Builder(const Regex& regex, std::size_t max_states) : regex_(regex), max_states_(max_states) {}

    std::optional<Automaton> build() {
        const std::uint32_t match = add({});
        out_.start = term(regex_.root, match);
        if (failed_) return std::nullopt;
        return std::move(out_);
    }

 private:
    std::uint32_t add(State state) {
        if (out_.states.size() >= max_states_) failed_ = true;
        if (failed_) return 0;
        out_.states.push_back(state);
        return static_cast<std::uint32_t>(out_.states.size() - 1);
    }
    std::uint32_t split(std::uint32_t a, std::uint32_t b) {
        return add({.kind = State::Kind::split, .next = a, .other = b});
    }
    std::uint32_t byte(unsigned low, unsigned high, std::uint32_t next) {
        return add({State::Kind::byte, static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high), next, 0});
    }

    std::uint32_t term(std::uint32_t id, std::uint32_t next) {
        if (failed_) return 0;
        const RegexTerm& t = regex_.terms[id];
        switch (t.kind) {
            case Kind::start: return add({.kind = State::Kind::at_start, .next = next});
            case Kind::end: return add({.kind = State::Kind::at_end, .next = next});
            case Kind::one_of: return one_of(regex_.sets[t.set], next);
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
            default: return failed_ = true, 0;
        }
    }

    std::uint32_t repeat(const RegexTerm& t, std::uint32_t next) {
        const std::uint32_t child = t.children[0];
        if (t.max == RegexTerm::unbounded) {
            const std::uint32_t loop = split(0, next);
            const std::uint32_t body = term(child, loop);
            if (failed_) return 0;
            out_.states[loop].next = body;
            next = loop;
        } else {
            const std::uint32_t after = next;
            for (std::uint32_t i = t.min; i < t.max && !failed_; ++i) next = split(term(child, next), after);
        }
        for (std::uint32_t i = 0; i < t.min && !failed_; ++i) next = term(child, next);
        return next;
    }

    std::uint32_t one_of(const CodePoints& set, std::uint32_t next) {
        if (!set.properties.empty()) failed_ = true;
        std::uint32_t all = 0;
        bool any = false;
        for (const Range& r : resolved_ranges(set)) {
            const std::uint32_t one = range(r, next);
            all = any ? split(one, all) : one;
            any = true;
        }
        return any ? all : byte(1, 0, next);  // nothing fits the empty set
    }

    // Code points of the same size in UTF-8, without the surrogates, which UTF-8 does not have.
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

    // All sequences between two of the same size. The first byte's lower and upper end have rests of their own.
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
    std::size_t max_states_;
    Automaton out_;
    bool failed_ = false;
};

}  // namespace

std::optional<Automaton> make_automaton(const Regex& regex, std::size_t max_states) {
    return Builder(regex, max_states).build();
}

}  // namespace tenon::schema
