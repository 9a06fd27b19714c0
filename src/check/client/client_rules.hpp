// The table of rules for clients: one row per rule, with its text and the function that judges it. Each group has its
// own file, rules_*.cpp.
#pragma once

#include <span>

#include "check/client/judge.hpp"

namespace tenon::check::client {

struct ClientRule {
    Rule rule;
    JudgeRecords judge;  ///< several rules share one function
};

/// Returns all rows, in the order of reports.
std::span<const ClientRule> all_client_rules();

std::span<const ClientRule> messages_rules();
std::span<const ClientRule> lifecycle_rules();
std::span<const ClientRule> question_rules();
std::span<const ClientRule> transport_rules();

}  // namespace tenon::check::client
