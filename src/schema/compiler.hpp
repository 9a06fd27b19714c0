// Compiler: turns every reachable subschema into a node of a Program.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "schema/program.hpp"
#include "schema/registry.hpp"

namespace tenon::schema {

class Compiler {
 public:
    Compiler(const Options& options, Program& program)
        : options_(options), program_(program), registry_(options, program.locations) {}

    /// Compiles the schema into the program. Returns the first error, or nothing when the schema is good.
    std::optional<Error> compile(const json::value& schema);

 private:
    // The subschema that is being compiled.
    struct Current {
        const json::object* schema = nullptr;
        Place place;
        DialectUse dialect;
        NodeId node = 0;
    };

    // Records an error. Only the first error is kept, and compiling stops soon after it.
    void fail(std::string_view keyword, std::string_view what);
    void fail_type(std::string_view keyword, std::string_view expected, const json::value& got);

    NodeId node_for(const Place& place);
    NodeId child(const json::value& subschema) { return node_for(registry_.place(subschema)); }
    void compile_node(NodeId id, const Place& place);
    void compile_definitions();
    void compile_dynamic_anchors();
    void sort_dynamic_anchors();
    void choose_entries();
    void skip_plain_references();
    void emit(Op op, Types applies_to, std::size_t a, std::size_t b = 0);

    // Returns the value of a keyword. Null when the schema does not use the keyword or the dialect does not know it.
    const json::value* keyword(std::string_view name) const;
    std::optional<std::uint64_t> count(std::string_view name);
    std::optional<bool> flag(std::string_view name);
    const boost::json::string* text(std::string_view name);
    std::vector<std::string> names(std::string_view keyword, const json::value& list);
    std::uint32_t pattern(std::string_view keyword, std::string_view source);

    // compile_references.cpp
    void compile_references();
    void compile_dynamic_reference(std::string_view name);
    std::uint32_t anchor_id(const std::string& name);

    // compile_logic.cpp
    void compile_logic();
    void compile_list(std::string_view name, Op op);
    void compile_condition();
    void compile_type();
    void compile_const_and_enum();

    // compile_scalars.cpp
    void compile_number();
    void compile_bound(NumberRule& rule, std::string_view name, NumberBound::Kind kind);
    void compile_string();
    void compile_format(StringRule& rule);

    // compile_containers.cpp
    void compile_array();
    void compile_items(ArrayRule& rule);
    bool compile_contains(ArrayRule& rule);
    void compile_object();
    bool compile_properties(ObjectRule& rule);
    bool compile_pattern_properties(ObjectRule& rule);
    void compile_dependencies();
    void compile_unevaluated();
    NodeId one(std::string_view name);

    const Options& options_;
    Program& program_;
    Registry registry_;
    Current current_;
    std::unordered_map<const json::value*, NodeId> nodes_;
    std::deque<std::pair<NodeId, Place>> pending_;
    std::map<std::string, std::uint32_t> anchors_;
    std::vector<const std::vector<Registry::DynamicAnchor>*> anchor_sources_;  // parallel to Program::dynamic_anchors
    std::size_t finished_anchors_ = 0, seen_dynamic_anchors_ = 0;
    std::map<std::string, std::uint32_t, std::less<>> patterns_;
    PatternBudget pattern_budget_{options_.limits.max_pattern_memory, options_.limits.max_pattern_work};
    std::optional<Error> error_;
};

}  // namespace tenon::schema
