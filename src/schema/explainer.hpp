// Explainer: says why a value is not valid. It runs the Validator to see what fails, and walks down to the place where
// it fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/validator.hpp"

namespace tenon::schema {

struct ExplainOptions {
    std::size_t max_violations = 10;
    std::string_view root_name;
    bool out_of_budget = false;  // the validation ran out of budget before it had a result
};

/// Returns at least one violation. Call it only for an instance that is not valid.
std::vector<Violation> explain(const Program& program, const json::value& instance, const ExplainOptions& options);

class Explainer {
 public:
    Explainer(const Program& program, Validator& validator, std::string_view root_name, std::size_t max_violations)
        : program_(program), validator_(validator), root_name_(root_name), max_violations_(max_violations) {}

    void explain(NodeId id, const json::value& v, Marks* marks);
    std::vector<Violation>& violations() { return violations_; }

 private:
    struct Step {
        std::string_view key{};
        std::size_t index = 0;
        bool is_index = false;
    };

    bool enough() const { return violations_.size() >= max_violations_ || validator_.out_of_budget(); }
    void report(std::string_view keyword, std::string sentence);
    void report_type(const Node& node, const json::value& v);

    void node(const Node& node, const json::value& v, Types type, Marks* marks);
    void instruction(const Instruction& in, const json::value& v, Marks* marks);
    void below(Step step, NodeId id, const json::value& v);
    void branches(const Instruction& in, const json::value& v, std::string_view keyword);
    std::string first_reason(NodeId id, const json::value& v);
    void condition(const Instruction& in, const json::value& v, Marks* marks);
    void number(const NumberRule& rule, const json::value& v);
    void string(const StringRule& rule, const json::value& v);
    void array(const ArrayRule& rule, const json::array& a);
    void contains(const ArrayRule& rule, const json::array& a);
    void object(const ObjectRule& rule, const json::object& o);
    void member(const ObjectRule& rule, std::string_view key, const json::value& v);
    void additional(const ObjectRule& rule, std::string_view key, const json::value& v);
    void required(const ObjectRule& rule, const json::object& o);
    void property_name(NodeId id, std::string_view key);
    void dependent_required(const Instruction& in, const json::object& o);
    void unevaluated(const Instruction& in, const json::value& v, const Marks* marks);
    void unevaluated_at(Step step, NodeId id, const json::value& v, std::string_view keyword);

    std::string instance_pointer() const;
    std::string instance_name() const;

    const Program& program_;
    Validator& validator_;
    std::string_view root_name_;
    std::size_t max_violations_;
    std::size_t nested_ = 0;  // depth of explanations inside explanations
    const Node* current_ = nullptr;
    std::vector<Step> path_;
    std::vector<Violation> violations_;
};

}  // namespace tenon::schema
