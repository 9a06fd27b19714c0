// Shows the rules to people: the catalogue as tables, and one rule as a page.
#pragma once

#include <vector>

#include <tenon/check.hpp>

#include "out.hpp"

namespace tenon::program {

/// Writes a table for each group.
void write_rules(Out& out, const std::vector<const check::Rule*>& rules);
/// Shows one rule: what it requires and why, with an example of right and wrong.
void write_rule(Out& out, const check::Rule& rule);

/// Finds a rule by id. Throws Failure with a suggestion for an unknown id.
const check::Rule& rule_named(const std::string& id);

}  // namespace tenon::program
