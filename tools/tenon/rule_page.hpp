// Rules for people: the catalogue as tables, and one rule as a page.
#pragma once

#include <vector>

#include <tenon/check.hpp>

#include "out.hpp"

namespace tenon::program {

/// A table for each group.
void write_rules(Out& out, const std::vector<const check::Rule*>& rules);
/// What it demands and why, with an example of right and wrong.
void write_rule(Out& out, const check::Rule& rule);

/// Throws Failure with a suggestion when there is none.
const check::Rule& rule_named(const std::string& id);

}  // namespace tenon::program
