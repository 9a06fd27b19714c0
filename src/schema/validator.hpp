// Validator: runs a Program over one instance. This is the hot path of the module: it has no allocations, exceptions or
// virtual calls.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "schema/equal.hpp"
#include "schema/program.hpp"

namespace tenon::schema {

/// A small buffer of bits inside the validator. take() returns null when it is full.
class BitPool {
 public:
    std::uint64_t* take(std::size_t words) {
        if (used_ + words > inline_.size()) return nullptr;
        used_ += words;
        return inline_.data() + (used_ - words);
    }
    void give_back(std::size_t words) { used_ -= words; }

 private:
    std::array<std::uint64_t, 48> inline_;  // not initialised: the caller of take() clears its words
    std::size_t used_ = 0;
};

/// Marks the members of an object or the elements of an array that have been evaluated. The unevaluated* keywords need
/// them.
class Marks {
 public:
    Marks(BitPool& pool, std::size_t count);
    Marks(const Marks& other);  // a copy to restore when a branch fails
    ~Marks();
    Marks& operator=(const Marks& other);

    void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
    void set_all() { all_ = true; }
    void set_first(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) set(i);
    }
    std::size_t words() const { return count_; }
    bool test(std::size_t i) const { return all_ || (words_[i / 64] >> (i % 64) & 1) != 0; }

 private:
    BitPool& pool_;
    std::size_t count_;  // number of words
    std::uint64_t* words_;
    std::unique_ptr<std::uint64_t[]> heap_;
    bool all_ = false;
};

/// Return whether a number is within one bound, or within all bounds of a rule. They compare exactly.
bool keeps(const NumberBound& bound, const json::value& v);
bool keeps_all(const NumberRule& rule, const json::value& v);

class Validator {
 public:
    explicit Validator(const Program& program)
        : program_(program), budget_(program.limits.max_work), depth_left_(program.limits.max_nesting) {}

    /// Returns whether the value is valid. `marks` are the marks of this value. They are null when no unevaluated*
    /// keyword needs them.
    bool run(NodeId id, const json::value& v, Marks* marks) { return run(program_.nodes[id], v, marks); }
    bool run(const Node& node, const json::value& v, Marks* marks) {
        const Types type = rough_type_of(v);
        if (!allows(node.allowed, v, type)) return false;
        return (node.entry.applies_to & type) == 0 || step(node.entry, v, marks);
    }

    bool out_of_budget() const { return budget_.spent(); }
    std::size_t steps_left() const { return budget_.left(); }

 private:
    friend class Explainer;

    // The dynamic scope: a linked list of the resources that were entered, innermost first.
    struct Scope {
        const Scope* outer;
        std::uint32_t resource;
    };

    // The state of the loop over the members of an object.
    struct Progress {
        std::uint32_t missing;    // number of required properties not seen yet
        std::uint32_t guess = 0;  // the property that probably comes next
        bool evaluated = false;   // whether the last member was evaluated
    };

    bool sequence(const Node& node, const json::value& v, Marks* marks);
    bool scoped_sequence(const Node& node, const json::value& v, Marks* marks);
    bool tracked_steps(const Node& node, const json::value& v, Types type, Marks* marks);
    bool steps(const Node& node, const json::value& v, Types type, Marks* marks);
    bool step(const Instruction& in, const json::value& v, Marks* marks);
    static bool number(const NumberRule& rule, const json::value& v);
    bool string(const StringRule& rule, std::string_view s);

    bool ref(NodeId id, const json::value& v, Marks* marks);
    bool dynamic_ref(const DynamicRef& ref, const json::value& v, Marks* marks);
    NodeId dynamic_target(const DynamicRef& ref);
    bool branch(NodeId id, const json::value& v, Marks* marks);
    bool all_of(const Instruction& in, const json::value& v, Marks* marks);
    bool any_of(const Instruction& in, const json::value& v, Marks* marks);
    bool one_of(const Instruction& in, const json::value& v, Marks* marks);
    bool negation(NodeId id, const json::value& v);
    bool condition(const Instruction& in, const json::value& v, Marks* marks);
    bool enumeration(const EnumRule& rule, const json::value& v);
    bool at_least(std::string_view s, std::uint64_t length);
    bool at_most(std::string_view s, std::uint64_t length);
    bool matches(const Pattern& pattern, std::string_view text) { return pattern.matches(text, budget_); }
    // Spends budget on long text only. The cost of short text is part of the cost of its member or element.
    bool spend_on_text(std::size_t size) { return size <= 256 || budget_.spend(size / 16); }
    bool enter(std::size_t work);
    void leave() { ++depth_left_; }
    bool array(const ArrayRule& rule, const json::array& a, Marks* marks);
    bool all_items(NodeId id, const json::array& a);
    bool array_items(const ArrayRule& rule, const json::array& a, Marks* marks);
    bool contains(const ArrayRule& rule, const json::array& a, Marks* marks);
    bool object(const ObjectRule& rule, const json::object& o, Marks* marks);
    bool members(const ObjectRule& rule, const json::object& o, Marks* marks);
    bool all_members(NodeId id, const json::object& o);
    bool any_members(const ObjectRule& rule, const json::object& o, Marks* marks);
    bool named_members(const ObjectRule& rule, const json::object& o);
    bool member(const ObjectRule& rule, std::string_view key, const json::value& v, Progress& progress);
    bool name(NodeId id, std::string_view key);
    bool has_member(const json::object& o, std::string_view name);
    bool dependent_required(const Instruction& in, const json::object& o);
    bool dependent_schemas(const Instruction& in, const json::value& v, Marks* marks);
    bool unevaluated_items(NodeId id, const json::array& a, const Marks* marks);
    bool unevaluated_properties(NodeId id, const json::object& o, const Marks* marks);

    const Program& program_;
    Budget budget_;
    std::size_t depth_left_;
    const Scope* scope_ = nullptr;
    BitPool pool_;
};

}  // namespace tenon::schema
