#include "schema/explainer.hpp"

#include "base/utf8.hpp"
#include "schema/messages.hpp"
#include "schema/text.hpp"

namespace tenon::schema {
namespace {

// Returns marks for the value if its schema needs its own marks.
std::optional<Marks> own_marks(BitPool& pool, const Node& node, const json::value& v, Types type) {
    if ((node.tracked & type) == 0) return std::nullopt;
    return std::optional<Marks>(std::in_place, pool,
                                type == types::array ? v.get_array().size() : v.get_object().size());
}

bool is_identifier(std::string_view s) {
    if (s.empty() || is_digit(s[0])) return false;
    for (const char c : s)
        if (!is_alnum(c) && c != '_' && c != '-' && c != '$') return false;
    return true;
}

bool is_unevaluated(Op op) { return op == Op::unevaluated_items || op == Op::unevaluated_properties; }

}  // namespace

std::string Explainer::instance_pointer() const {
    std::string out;
    for (const auto& step : path_)
        append_pointer_token(out, step.is_index ? std::to_string(step.index) : std::string(step.key));
    return out;
}

std::string Explainer::instance_name() const {
    constexpr std::size_t longest_key = 60, longest_name = 200;
    std::string out(root_name_);
    for (const auto& step : path_) {
        if (step.is_index)
            out += "[" + std::to_string(step.index) + "]";
        else if (is_identifier(step.key))
            out.append(out.empty() ? "" : ".").append(base::shorten(step.key, longest_key));
        else
            out += "[" + json::write(json::value(base::shorten(step.key, longest_key))) + "]";
    }
    return out.empty() ? "the value" : "`" + base::shorten(out, longest_name) + "`";
}

// Adds a violation. The sentence continues after the name of the value: "must be a string".
void Explainer::report(std::string_view keyword, std::string sentence) {
    if (enough()) return;
    std::string schema_path = pointer_of(program_.locations, current_->location);
    if (!keyword.empty()) append_pointer_token(schema_path, keyword);
    if (keyword.empty()) keyword = program_.locations[current_->location].token;
    violations_.push_back({instance_pointer(), std::move(schema_path), std::string(keyword),
                           instance_name() + " " + std::move(sentence)});
}

void Explainer::report_type(const Node& node, const json::value& v) {
    if (node.allowed == 0) return report("", "is not allowed here");
    report("type", "must be " + type_names(node.allowed) + ", got " + described(v));
}

void Explainer::explain(NodeId id, const json::value& v, Marks* marks) {
    if (!validator_.budget_.spend(1) || enough()) return;
    const Node& next = program_.nodes[id];
    const Node* outer_node = current_;
    const Validator::Scope* outer = validator_.scope_;
    const Validator::Scope inner{outer, next.resource};
    if (!outer || outer->resource != next.resource) validator_.scope_ = &inner;
    current_ = &next;
    const Types type = type_of(v);
    if ((next.allowed & type) == 0) {
        report_type(next, v);
    } else if (validator_.depth_left_ > 0) {
        --validator_.depth_left_;
        node(next, v, type, marks);
        ++validator_.depth_left_;
    }
    current_ = outer_node;
    validator_.scope_ = outer;
}

void Explainer::node(const Node& node, const json::value& v, Types type, Marks* marks) {
    auto own = own_marks(validator_.pool_, node, v, type);
    Marks* used = own ? &*own : marks;
    const std::size_t before = violations_.size();
    for (std::uint32_t i = node.first; i < node.first + node.count && !enough(); ++i) {
        const Instruction& in = program_.instructions[i];
        if ((in.applies_to & type) == 0) continue;
        // Another keyword failed already, so its members are unevaluated. Reporting them again would not help.
        if (is_unevaluated(in.op) && violations_.size() > before) continue;
        if (validator_.step(in, v, used) || enough()) continue;
        instruction(in, v, used);
    }
    if (own && marks) marks->set_all();
}

void Explainer::below(Step step, NodeId id, const json::value& v) {
    path_.push_back(step);
    explain(id, v, nullptr);
    path_.pop_back();
}

void Explainer::instruction(const Instruction& in, const json::value& v, Marks* marks) {
    const Program& p = program_;
    switch (in.op) {
        case Op::ref: return explain(in.a, v, marks);
        case Op::dynamic_ref: return explain(validator_.dynamic_target(p.dynamic_refs[in.a]), v, marks);
        case Op::all_of:
            for (std::uint32_t i = 0; i < in.b; ++i) explain(p.children[in.a + i], v, marks);
            return;
        case Op::any_of: return branches(in, v, "anyOf");
        case Op::one_of: return branches(in, v, "oneOf");
        case Op::negation: return report("not", "is a value that the schema's `not` excludes: " + described(v));
        case Op::condition: return condition(in, v, marks);
        case Op::constant:
            return report("const",
                          "must be " + base::shorten(json::write(p.values[in.a]), 120) + ", got " + written(v));
        case Op::enumeration: return report("enum", "must be one of " + p.enums[in.a].listed + ", got " + written(v));
        case Op::number: return number(p.numbers[in.a], v);
        case Op::string: return string(p.strings[in.a], v);
        case Op::array: return array(p.arrays[in.a], v.get_array());
        case Op::object: return object(p.objects[in.a], v.get_object());
        case Op::dependent_required: return dependent_required(in, v.get_object());
        case Op::dependent_schemas:
            for (std::uint32_t i = 0; i < in.b; ++i)
                if (validator_.has_member(v.get_object(), p.dependencies[in.a + i].property))
                    explain(p.dependencies[in.a + i].node, v, marks);
            return;
        case Op::unevaluated_items:
        case Op::unevaluated_properties: return unevaluated(in, v, marks);
        case Op::sequence:
        case Op::scoped_sequence: return explain(in.a, v, marks);
    }
}

void Explainer::number(const NumberRule& rule, const json::value& v) {
    struct Words {
        std::string_view keyword, demand;
    };
    constexpr Words words[] = {{"minimum", "must be ≥ "},
                               {"maximum", "must be ≤ "},
                               {"exclusiveMinimum", "must be > "},
                               {"exclusiveMaximum", "must be < "},
                               {"multipleOf", "must be a multiple of "}};
    for (const auto& bound : rule.bounds) {
        if (keeps(bound, v)) continue;
        const auto& [keyword, demand] = words[static_cast<std::size_t>(bound.kind)];
        report(keyword, std::string(demand) + written(bound.value) + ", got " + written(v));
    }
}

void Explainer::string(const StringRule& rule, const json::value& v) {
    const std::string_view s = v.get_string();
    const std::uint64_t length = base::utf8_length(s);
    if (length < rule.min_length)
        report("minLength", "must have at least " + counted(rule.min_length, "character") + ", got " + written(v));
    if (length > rule.max_length)
        report("maxLength",
               "must have at most " + counted(rule.max_length, "character") + ", got " + std::to_string(length));
    if (rule.pattern != StringRule::no_pattern && !validator_.matches(program_.patterns[rule.pattern], s))
        report("pattern", "must match the regular expression " + quoted(program_.patterns[rule.pattern].source()) +
                              ", got " + written(v));
    if (rule.format && validator_.budget_.spend(format_steps(rule.format, s.size())) && !rule.format(s))
        report("format", "must be a valid " + rule.format_name + ", got " + written(v));
}

// Returns the first reason why the value is not valid. It becomes a part of another message.
std::string Explainer::first_reason(NodeId id, const json::value& v) {
    Explainer inner(program_, validator_, root_name_, 1);
    inner.path_ = path_;
    inner.nested_ = nested_ + 1;
    inner.explain(id, v, nullptr);
    return inner.violations_.empty() ? "" : inner.violations_[0].message;
}

void Explainer::branches(const Instruction& in, const json::value& v, std::string_view keyword) {
    constexpr std::uint32_t told = 4, deepest = 2;
    constexpr std::size_t longest = 160;
    std::uint32_t valid = 0;
    std::string reasons;
    for (std::uint32_t i = 0; i < in.b && !validator_.out_of_budget(); ++i) {
        const NodeId id = program_.children[in.a + i];
        if (validator_.run(id, v, nullptr)) {
            ++valid;
        } else if (i < told && nested_ < deepest) {
            const std::string reason = base::shorten(first_reason(id, v), longest);
            reasons += "; alternative " + std::to_string(i + 1) + ": " + reason;
        }
    }
    if (valid > 1)
        return report(keyword, "matches " + std::to_string(valid) + " of the alternatives, but must match exactly one");
    const std::string count = in.b == 1 ? "the alternative" : "one of the " + std::to_string(in.b) + " alternatives";
    report(keyword, "must match " + count + (reasons.empty() ? ", got " + described(v) : reasons));
}

void Explainer::condition(const Instruction& in, const json::value& v, Marks* marks) {
    const NodeId* nodes = program_.children.data() + in.a;
    const NodeId next = validator_.branch(nodes[0], v, marks) ? nodes[1] : nodes[2];
    if (next != no_node) explain(next, v, marks);
}

std::vector<Violation> explain(const Program& program, const json::value& instance, const ExplainOptions& options) {
    const std::string root = options.root_name.empty() ? "the value" : quoted(options.root_name);
    const Violation budget{"", "", "$budget",
                           "checking " + root + " takes more work than is allowed; send a smaller or simpler value"};
    if (options.out_of_budget) return {budget};
    Validator validator(program);
    Explainer explainer(program, validator, options.root_name, std::max<std::size_t>(options.max_violations, 1));
    explainer.explain(program.root, instance, nullptr);
    if (explainer.violations().empty()) return {budget};
    return std::move(explainer.violations());
}

std::vector<Violation> Schema::check(const json::value& instance, std::size_t max_violations,
                                     std::string_view root_name) const {
    Validator validator(*program_);
    if (validator.run(program_->root, instance, nullptr) && !validator.out_of_budget()) return {};
    return explain(*program_, instance, {max_violations, root_name, validator.out_of_budget()});
}

}  // namespace tenon::schema
