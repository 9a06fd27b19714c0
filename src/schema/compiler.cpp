#include "schema/compiler.hpp"

#include <algorithm>

#include "schema/loops.hpp"
#include "schema/refusal.hpp"

namespace tenon::schema {
namespace {

// Returns whether the instruction checks a scalar or the children of the value. Such an instruction never applies
// another node to the same value.
bool looks_inside(Op op) {
    return op == Op::number || op == Op::string || op == Op::enumeration || op == Op::constant || op == Op::array ||
           op == Op::object;
}

}  // namespace

std::optional<Error> Compiler::compile(const json::value& schema) {
    auto root = registry_.add_root(schema);
    if (!root) return root.error();
    program_.root = node_for(*root);
    while (!error_ && !pending_.empty()) {
        const auto [id, place] = pending_.front();
        pending_.pop_front();
        compile_node(id, place);
        if (pending_.empty()) compile_dynamic_anchors();
    }
    if (error_) return error_;
    sort_dynamic_anchors();
    choose_entries();
    if (const NodeId looping = find_endless_loop(program_); looping != no_node)
        return refuse(program_.locations, program_.nodes[looping].location, "",
                      "refers to itself without looking at a part of the value, which would never end");
    skip_plain_references();
    return std::nullopt;
}

void Compiler::fail(std::string_view keyword, std::string_view what) {
    if (!error_) error_ = refuse(program_.locations, current_.place.location, keyword, what);
}

void Compiler::fail_type(std::string_view keyword, std::string_view expected, const json::value& got) {
    fail(keyword, "must be " + std::string(expected) + ", got " + std::string(article_and_type(got)));
}

NodeId Compiler::node_for(const Place& place) {
    if (error_) return 0;
    const auto [at, is_new] = nodes_.emplace(place.schema, static_cast<NodeId>(program_.nodes.size()));
    if (!is_new) return at->second;
    if (program_.nodes.size() >= options_.limits.max_subschemas)
        fail("", "more subschemas than the limit of " + std::to_string(options_.limits.max_subschemas));
    program_.nodes.push_back({.resource = place.resource, .location = place.location});
    pending_.emplace_back(at->second, place);
    return at->second;
}

void Compiler::emit(Op op, Types applies_to, std::size_t a, std::size_t b) {
    program_.instructions.push_back({op, applies_to, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
}

void Compiler::compile_node(NodeId id, const Place& place) {
    const auto first = static_cast<std::uint32_t>(program_.instructions.size());
    program_.nodes[id].first = first;
    if (place.schema->is_bool()) {
        if (!place.schema->get_bool()) program_.nodes[id].allowed = 0;
        return;
    }
    current_ = {&place.schema->get_object(), place, registry_.resource(place.resource).dialect, id};
    const bool only_ref = current_.dialect.draft == Dialect::draft7 && current_.schema->contains("$ref");
    if (only_ref) {
        compile_references();
    } else {
        // Cheap assertions come first. The unevaluated* keywords come after all keywords that evaluate.
        compile_type();
        compile_const_and_enum();
        compile_number();
        compile_string();
        compile_array();
        compile_object();
        compile_references();
        compile_logic();
        compile_dependencies();
        compile_unevaluated();
    }
    compile_definitions();
    program_.nodes[id].count = static_cast<std::uint32_t>(program_.instructions.size()) - first;
}

// Compiles the definitions of the user's own document even if no reference leads to them, to report their mistakes.
void Compiler::compile_definitions() {
    std::uint32_t root = current_.place.location;
    while (program_.locations[root].parent != Location::none) root = program_.locations[root].parent;
    if (!program_.locations[root].token.empty()) return;
    for (const std::string_view name : {"$defs", "definitions"}) {
        const auto* definitions = keyword(name);
        if (!definitions || !definitions->is_object()) continue;
        for (const auto& member : definitions->get_object()) child(member.value());
    }
}

// Compiles all possible targets of the dynamic references: any resource with the anchor may be in scope. A reference
// may load a new document with new anchors, so this function runs several times and handles only the new anchors.
void Compiler::compile_dynamic_anchors() {
    const std::size_t count = registry_.dynamic_anchor_count();
    std::size_t id = count == seen_dynamic_anchors_ ? finished_anchors_ : 0;
    seen_dynamic_anchors_ = count;
    finished_anchors_ = program_.dynamic_anchors.size();
    for (; id < finished_anchors_; ++id) {
        auto& targets = program_.dynamic_anchors[id];
        const auto& found = *anchor_sources_[id];
        for (std::size_t i = targets.size(); i < found.size(); ++i)
            targets.push_back({found[i].resource, child(*found[i].schema)});
    }
}

// Sorts by resource, because the validator does a binary search by resource.
void Compiler::sort_dynamic_anchors() {
    for (auto& targets : program_.dynamic_anchors) std::ranges::sort(targets, {}, &DynamicRef::Target::resource);
}

void Compiler::choose_entries() {
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
        Node& node = program_.nodes[id];
        if (node.count == 0) continue;
        const Instruction& first = program_.instructions[node.first];
        if (!program_.dynamic_anchors.empty() || node.tracked != 0)
            node.entry = {.op = Op::scoped_sequence, .a = id};
        else if (node.count == 1 && looks_inside(first.op))
            node.entry = first;
        else
            node.entry = {.op = Op::sequence, .a = id};
    }
}

// Replaces each use of a node that is only a `$ref` by the target of the `$ref`. Loops of such nodes do not exist here.
void Compiler::skip_plain_references() {
    const auto target = [this](NodeId& id) {
        while (id != no_node) {
            const Node& node = program_.nodes[id];
            if (node.count != 1 || node.allowed != types::all || node.entry.op != Op::sequence) return;
            if (program_.instructions[node.first].op != Op::ref) return;
            id = program_.instructions[node.first].a;
        }
    };
    target(program_.root);
    for (NodeId& id : program_.children) target(id);
    for (auto& in : program_.instructions)
        if (in.op == Op::ref || in.op == Op::negation) target(in.a);
    for (auto& rule : program_.arrays) {
        target(rule.items);
        target(rule.contains);
    }
    for (auto& rule : program_.objects) {
        for (auto& property : rule.properties) target(property.node);
        for (auto& p : rule.patterns) target(p.node);
        target(rule.additional);
    }
}

const json::value* Compiler::keyword(std::string_view name) const {
    const auto* v = current_.schema->if_contains(name);
    return v && find_keyword(name, current_.dialect) ? v : nullptr;
}

std::optional<std::uint64_t> Compiler::count(std::string_view name) {
    const auto* v = keyword(name);
    if (!v) return std::nullopt;
    const auto n = as_count(*v);
    if (!n) fail(name, "must be an integer of at least 0, got " + json::write(*v));
    return n;
}

std::optional<bool> Compiler::flag(std::string_view name) {
    const auto* v = keyword(name);
    if (!v) return std::nullopt;
    if (!v->is_bool()) fail_type(name, "a boolean", *v);
    return v->is_bool() && v->get_bool();
}

const boost::json::string* Compiler::text(std::string_view name) {
    const auto* v = keyword(name);
    if (!v) return nullptr;
    if (!v->is_string()) fail_type(name, "a string", *v);
    return v->if_string();
}

std::vector<std::string> Compiler::names(std::string_view keyword, const json::value& list) {
    std::vector<std::string> out;
    const auto* a = list.if_array();
    if (!a) {
        const bool old_required = keyword == "required" && list.is_bool();
        fail(keyword, "must be an array of property names, got " + std::string(article_and_type(list)) +
                          (old_required ? "; list the required properties in the object that has them" : ""));
        return out;
    }
    for (const auto& name : *a) {
        if (!name.is_string()) {
            fail(keyword, "must be an array of strings, got " + std::string(article_and_type(name)) + " in it");
            return out;
        }
        out.emplace_back(name.get_string());
    }
    return out;
}

std::uint32_t Compiler::pattern(std::string_view keyword, std::string_view source) {
    if (error_) return 0;
    if (const auto at = patterns_.find(source); at != patterns_.end()) return at->second;
    auto compiled = Pattern::compile(source, options_.limits, pattern_budget_);
    if (!compiled) {
        fail(keyword, compiled.error().message);
        return 0;
    }
    const auto id = static_cast<std::uint32_t>(program_.patterns.size());
    patterns_.emplace(source, id);
    program_.patterns.push_back(std::move(*compiled));
    return id;
}

Result<Schema> Schema::compile(const json::value& schema, const Options& options) {
    auto program = std::make_shared<Program>();
    program->limits = options.limits;
    if (auto error = Compiler(options, *program).compile(schema)) return std::move(*error);
    return Schema(std::move(program));
}

}  // namespace tenon::schema
