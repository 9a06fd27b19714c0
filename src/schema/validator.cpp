#include "schema/validator.hpp"

#include <algorithm>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/string.hpp>

#include "base/utf8.hpp"

namespace tenon::schema {

Marks::Marks(BitPool& pool, std::size_t count) : pool_(pool), count_((count + 63) / 64), words_(pool.take(count_)) {
    if (!words_) {
        heap_ = std::make_unique<std::uint64_t[]>(count_);
        words_ = heap_.get();
    }
    std::fill_n(words_, count_, 0);
}

Marks::Marks(const Marks& other) : Marks(other.pool_, other.count_ * 64) { *this = other; }

Marks::~Marks() {
    if (!heap_) pool_.give_back(count_);
}

Marks& Marks::operator=(const Marks& other) {
    if (this == &other) return *this;
    std::copy_n(other.words_, count_, words_);
    all_ = other.all_;
    return *this;
}

bool keeps(const NumberBound& bound, const json::value& v) {
    switch (bound.kind) {
        case NumberBound::Kind::minimum: return compare_numbers(v, bound.value) >= 0;
        case NumberBound::Kind::maximum: return compare_numbers(v, bound.value) <= 0;
        case NumberBound::Kind::exclusive_minimum: return compare_numbers(v, bound.value) > 0;
        case NumberBound::Kind::exclusive_maximum: return compare_numbers(v, bound.value) < 0;
        case NumberBound::Kind::multiple_of: return is_multiple_of(v, bound.value);
    }
    return false;
}

bool keeps_all(const NumberRule& rule, const json::value& v) {
    for (const auto& bound : rule.bounds)
        if (!keeps(bound, v)) return false;
    return true;
}

// Goes one level deeper and spends the budget for `work` there. Returns false when budget or depth is used up.
inline bool Validator::enter(std::size_t work) {
    if (!budget_.spend(work + 1)) return false;
    if (depth_left_ == 0) {
        budget_.exhaust();
        return false;
    }
    --depth_left_;
    return true;
}

bool Validator::sequence(const Node& node, const json::value& v, Marks* marks) {
    if (!enter(0)) return false;
    const bool valid = steps(node, v, rough_type_of(v), marks);
    leave();
    return valid;
}

bool Validator::scoped_sequence(const Node& node, const json::value& v, Marks* marks) {
    if (!enter(0)) return false;
    const Scope* outer = scope_;
    const Scope inner{outer, node.resource};
    if (!outer || outer->resource != node.resource) scope_ = &inner;
    const Types type = rough_type_of(v);
    const bool valid = (node.tracked & type) != 0 ? tracked_steps(node, v, type, marks) : steps(node, v, type, marks);
    scope_ = outer;
    leave();
    return valid;
}

// A schema with an unevaluated* keyword gets its own marks, because members evaluated outside it do not count.
bool Validator::tracked_steps(const Node& node, const json::value& v, Types type, Marks* marks) {
    const std::size_t size = type == types::array ? v.get_array().size() : v.get_object().size();
    if (!budget_.spend(size)) return false;
    Marks own(pool_, size);
    if (!steps(node, v, type, &own)) return false;
    if (marks) marks->set_all();
    return true;
}

inline bool Validator::steps(const Node& node, const json::value& v, Types type, Marks* marks) {
    const Instruction* in = program_.instructions.data() + node.first;
    for (const Instruction* end = in + node.count; in != end; ++in)
        if ((in->applies_to & type) != 0 && !step(*in, v, marks)) return false;
    return true;
}

bool Validator::ref(NodeId id, const json::value& v, Marks* marks) { return run(id, v, marks); }

bool Validator::dynamic_ref(const DynamicRef& ref, const json::value& v, Marks* marks) {
    const NodeId target = dynamic_target(ref);
    return !budget_.spent() && run(target, v, marks);
}

// Finds the outermost resource in scope that has the anchor. The targets are sorted by resource.
NodeId Validator::dynamic_target(const DynamicRef& ref) {
    const auto& targets = program_.dynamic_anchors[ref.anchor];
    const auto steps_per_scope = static_cast<std::size_t>(std::bit_width(targets.size()));
    NodeId found = ref.initial;
    for (const Scope* scope = scope_; scope && budget_.spend(steps_per_scope); scope = scope->outer) {
        const auto at = std::ranges::lower_bound(targets, scope->resource, {}, &DynamicRef::Target::resource);
        if (at != targets.end() && at->resource == scope->resource) found = at->node;
    }
    return found;
}

// Most values pass through here. Each case is a single tail call, so no case makes the others pay for a stack frame.
bool Validator::step(const Instruction& in, const json::value& v, Marks* marks) {
    const Program& p = program_;
    switch (in.op) {
        case Op::ref: return ref(in.a, v, marks);
        case Op::dynamic_ref: return dynamic_ref(p.dynamic_refs[in.a], v, marks);
        case Op::all_of: return all_of(in, v, marks);
        case Op::any_of: return any_of(in, v, marks);
        case Op::one_of: return one_of(in, v, marks);
        case Op::negation: return negation(in.a, v);
        case Op::condition: return condition(in, v, marks);
        case Op::constant: return equal(p.values[in.a], v, budget_, depth_left_);
        case Op::enumeration: return enumeration(p.enums[in.a], v);
        case Op::number: return number(p.numbers[in.a], v);
        case Op::string: return string(p.strings[in.a], v.get_string());
        case Op::array: return array(p.arrays[in.a], v.get_array(), marks);
        case Op::object: return object(p.objects[in.a], v.get_object(), marks);
        case Op::dependent_required: return dependent_required(in, v.get_object());
        case Op::dependent_schemas: return dependent_schemas(in, v, marks);
        case Op::unevaluated_items: return unevaluated_items(in.a, v.get_array(), marks);
        case Op::unevaluated_properties: return unevaluated_properties(in.a, v.get_object(), marks);
        case Op::sequence: return sequence(p.nodes[in.a], v, marks);
        case Op::scoped_sequence: return scoped_sequence(p.nodes[in.a], v, marks);
    }
    return false;
}

inline bool Validator::number(const NumberRule& rule, const json::value& v) {
    if (v.kind() == json::kind::int64 && rule.range_is_all) [[likely]] {
        const std::int64_t n = v.get_int64();
        return n >= rule.low && n <= rule.high && (rule.step == 1 || n % rule.step == 0);
    }
    if (v.kind() == json::kind::double_ && rule.double_range_is_all)
        return v.get_double() >= rule.double_low && v.get_double() <= rule.double_high;
    return keeps_all(rule, v);
}

bool Validator::string(const StringRule& rule, std::string_view s) {
    if (rule.min_length > 0 && !at_least(s, rule.min_length)) return false;
    if (!at_most(s, rule.max_length)) return false;
    if (rule.pattern != StringRule::no_pattern && !matches(program_.patterns[rule.pattern], s)) return false;
    return !rule.format || (budget_.spend(format_steps(rule.format, s.size())) && rule.format(s));
}

// A length is a number of code points. A code point has one to four bytes.
inline bool Validator::at_least(std::string_view s, std::uint64_t length) {
    if (s.size() < length || s.size() / 4 >= length) return s.size() >= length;
    return budget_.spend(s.size() / 16) && base::utf8_length(s) >= length;
}

inline bool Validator::at_most(std::string_view s, std::uint64_t length) {
    if (s.size() <= length || s.size() / 4 > length) return s.size() <= length;
    return budget_.spend(s.size() / 16) && base::utf8_length(s) <= length;
}

bool Validator::enumeration(const EnumRule& rule, const json::value& v) {
    if (v.is_string() && !spend_on_text(v.get_string().size())) return false;
    if (v.is_string()) return rule.strings.find(v.get_string()) != StringTable::absent;
    for (const auto& value : rule.others)
        if (equal(value, v, budget_, depth_left_)) return true;
    return false;
}

// A branch that fails leaves no marks.
bool Validator::branch(NodeId id, const json::value& v, Marks* marks) {
    if (!budget_.spend(1)) return false;
    if (!marks) return run(id, v, nullptr);
    if (!budget_.spend(marks->words() / 4)) return false;
    const Marks before(*marks);
    if (run(id, v, marks)) return true;
    *marks = before;
    return false;
}

bool Validator::all_of(const Instruction& in, const json::value& v, Marks* marks) {
    if (!budget_.spend(in.b)) return false;
    for (std::uint32_t i = 0; i < in.b; ++i)
        if (!run(program_.children[in.a + i], v, marks)) return false;
    return true;
}

// If there are marks, every branch must run, because each valid branch adds marks.
bool Validator::any_of(const Instruction& in, const json::value& v, Marks* marks) {
    bool valid = false;
    for (std::uint32_t i = 0; i < in.b; ++i) {
        if (branch(program_.children[in.a + i], v, marks)) valid = true;
        if (budget_.spent()) return false;
        if (valid && !marks) return true;
    }
    return valid;
}

bool Validator::one_of(const Instruction& in, const json::value& v, Marks* marks) {
    std::uint32_t valid = 0;
    for (std::uint32_t i = 0; i < in.b && valid < 2; ++i) {
        if (branch(program_.children[in.a + i], v, marks)) ++valid;
        if (budget_.spent()) return false;
    }
    return valid == 1;
}

bool Validator::negation(NodeId id, const json::value& v) { return !run(id, v, nullptr) && !budget_.spent(); }

bool Validator::condition(const Instruction& in, const json::value& v, Marks* marks) {
    const NodeId* nodes = program_.children.data() + in.a;
    const NodeId next = branch(nodes[0], v, marks) ? nodes[1] : nodes[2];
    if (budget_.spent()) return false;
    return next == no_node || run(next, v, marks);
}

bool Validator::array(const ArrayRule& rule, const json::array& a, Marks* marks) {
    if (a.size() < rule.min_items || a.size() > rule.max_items || !enter(a.size())) return false;
    const bool valid = rule.items_only && !marks ? all_items(rule.items, a) : array_items(rule, a, marks);
    leave();
    return valid;
}

inline bool Validator::all_items(NodeId id, const json::array& a) {
    if (id == no_node) return true;
    const Node& node = program_.nodes[id];
    for (const auto& v : a)
        if (!run(node, v, nullptr)) return false;
    return true;
}

bool Validator::array_items(const ArrayRule& rule, const json::array& a, Marks* marks) {
    const std::size_t size = a.size();
    const std::size_t prefix = std::min<std::size_t>(rule.prefix_count, size);
    for (std::size_t i = 0; i < prefix; ++i)
        if (!run(program_.children[rule.prefix + i], a[i], nullptr)) return false;
    if (marks) marks->set_first(prefix);
    if (rule.items != no_node) {
        for (const json::value *v = a.data() + prefix, *end = a.data() + size; v != end; ++v)
            if (!run(rule.items, *v, nullptr)) return false;
        if (marks) marks->set_all();
    }
    if (rule.contains != no_node && !contains(rule, a, marks)) return false;
    return !rule.unique || all_different(a, budget_, depth_left_);
}

bool Validator::contains(const ArrayRule& rule, const json::array& a, Marks* marks) {
    if (!budget_.spend(a.size())) return false;
    std::uint64_t found = 0;
    const bool mark = marks && rule.contains_evaluates;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (run(rule.contains, a[i], nullptr)) {
            ++found;
            if (mark) marks->set(i);
        }
        if (budget_.spent() || found > rule.max_contains) return false;
        if (!mark && found >= rule.min_contains && rule.max_contains == no_count) return true;
    }
    return found >= rule.min_contains;
}

bool Validator::object(const ObjectRule& rule, const json::object& o, Marks* marks) {
    if (o.size() < rule.min_properties || o.size() > rule.max_properties || !enter(o.size())) return false;
    const bool valid = members(rule, o, marks);
    leave();
    return valid;
}

inline bool Validator::members(const ObjectRule& rule, const json::object& o, Marks* marks) {
    if (marks || rule.shape == ObjectRule::Shape::general) return any_members(rule, o, marks);
    return rule.shape == ObjectRule::Shape::map ? all_members(rule.additional, o) : named_members(rule, o);
}

bool Validator::all_members(NodeId id, const json::object& o) {
    if (id == no_node) return true;
    const Node& node = program_.nodes[id];
    for (const auto& m : o)
        if (!run(node, m.value(), nullptr)) return false;
    return true;
}

// The most common case: only `properties`, `required` and `additionalProperties`.
inline bool Validator::named_members(const ObjectRule& rule, const json::object& o) {
    std::uint32_t missing = rule.required_count, guess = 0;
    for (const auto& m : o) {
        NodeId id = rule.additional;
        if (!spend_on_text(m.key().size())) return false;
        if (const std::uint32_t i = rule.names.find(m.key(), guess); i != StringTable::absent) {
            const PropertyRule& property = rule.properties[i];
            missing -= property.required;
            guess = i + 1;
            if (property.node != no_node) id = property.node;
        }
        if (id != no_node && !run(id, m.value(), nullptr)) return false;
    }
    return missing == 0;
}

bool Validator::any_members(const ObjectRule& rule, const json::object& o, Marks* marks) {
    Progress progress{rule.required_count};
    std::size_t i = 0;
    for (const auto& m : o) {
        if (!member(rule, m.key(), m.value(), progress)) return false;
        if (marks && progress.evaluated) marks->set(i);
        ++i;
    }
    return progress.missing == 0;
}

inline bool Validator::member(const ObjectRule& rule, std::string_view key, const json::value& v, Progress& progress) {
    bool evaluated = false;
    if (!spend_on_text(key.size())) return false;
    if (rule.property_names != no_node && !name(rule.property_names, key)) return false;
    if (const std::uint32_t i = rule.names.find(key, progress.guess); i != StringTable::absent) {
        const PropertyRule& property = rule.properties[i];
        progress.guess = i + 1;
        progress.missing -= property.required;
        if (property.node != no_node) {
            evaluated = true;
            if (!run(property.node, v, nullptr)) return false;
        }
    }
    for (const auto& p : rule.patterns) {
        if (!matches(program_.patterns[p.pattern], key)) continue;
        evaluated = true;
        if (!run(p.node, v, nullptr)) return false;
    }
    progress.evaluated = evaluated || rule.additional != no_node;
    if (evaluated || rule.additional == no_node) return true;
    return run(rule.additional, v, nullptr);
}

// Checks the name of a member. The name becomes a temporary JSON value; a short name needs no heap memory.
bool Validator::name(NodeId id, std::string_view key) {
    if (!budget_.spend(1 + key.size() / 16)) return false;
    std::array<unsigned char, 256> buffer;
    boost::json::monotonic_resource memory(buffer.data(), buffer.size());
    return run(id, json::value(key, &memory), nullptr);
}

// Spends budget by the size of the name, because the lookup reads the whole name.
bool Validator::has_member(const json::object& o, std::string_view name) {
    return budget_.spend(2 + name.size() / 16) && o.contains(name);
}

bool Validator::dependent_required(const Instruction& in, const json::object& o) {
    for (std::uint32_t i = 0; i < in.b; ++i) {
        const Dependency& d = program_.dependencies[in.a + i];
        if (!has_member(o, d.property)) continue;
        for (const auto& name : d.required)
            if (!has_member(o, name)) return false;
    }
    return !budget_.spent();
}

bool Validator::dependent_schemas(const Instruction& in, const json::value& v, Marks* marks) {
    for (std::uint32_t i = 0; i < in.b; ++i) {
        const Dependency& d = program_.dependencies[in.a + i];
        if (has_member(v.get_object(), d.property) && !run(d.node, v, marks)) return false;
    }
    return !budget_.spent();
}

bool Validator::unevaluated_items(NodeId id, const json::array& a, const Marks* marks) {
    if (!budget_.spend(a.size())) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!marks->test(i) && !run(id, a[i], nullptr)) return false;
    return true;
}

bool Validator::unevaluated_properties(NodeId id, const json::object& o, const Marks* marks) {
    if (!budget_.spend(o.size())) return false;
    std::size_t i = 0;
    for (const auto& m : o)
        if (!marks->test(i++) && !run(id, m.value(), nullptr)) return false;
    return true;
}

bool Schema::accepts(const json::value& instance) const {
    Validator validator(*program_);
    return validator.run(program_->root, instance, nullptr) && !validator.out_of_budget();
}

}  // namespace tenon::schema
