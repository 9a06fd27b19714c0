// CharSet: a set of characters. Tenon has no Unicode tables of its own: RE2 looks Unicode properties up.
#pragma once

#include <bitset>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "schema/budget.hpp"
#include "schema/regex_syntax.hpp"

namespace re2 {
class RE2;
}

namespace tenon::schema {

using AsciiSet = std::bitset<0x80>;

/// One Unicode property, compiled by RE2.
class Property {
 public:
    explicit Property(const std::string& re2_name);
    ~Property();

    bool known() const;  // whether this version of RE2 has the property
    bool has(char32_t c) const;
    const AsciiSet& ascii() const { return ascii_; }

    static constexpr std::size_t compile_steps = 20'000;  // RE2 takes up to 200 microseconds
    static constexpr std::size_t question_steps = 20;

 private:
    std::unique_ptr<re2::RE2> re2_;
    AsciiSet ascii_;
};

/// The properties that one schema uses, keyed by their names in RE2. All patterns of the schema share them.
using Properties = std::map<std::string, std::shared_ptr<const Property>, std::less<>>;

class CharSet {
 public:
    /// Compiles the properties that are not in `known` yet, and subtracts the cost from `steps`. The error message
    /// says what is wrong with the pattern.
    static Result<CharSet> build(const CodePoints& set, Properties& known, std::size_t& steps);

    bool contains(char32_t c, Budget& budget) const {
        return (c < 0x80 ? ascii_[c] : contains_wide(c, budget)) != negated_;
    }

    /// Returns the memory used, in bytes. The properties are not counted.
    std::size_t size() const { return sizeof *this + ranges_.size() * sizeof(CodePoints::Range); }

 private:
    explicit CharSet(const CodePoints& set);
    bool contains_wide(char32_t c, Budget& budget) const;
    void add_ascii(CodePoints::Range range);

    AsciiSet ascii_;
    std::vector<CodePoints::Range> ranges_;  // sorted
    std::vector<std::shared_ptr<const Property>> properties_;
    bool negated_;
};

}  // namespace tenon::schema
