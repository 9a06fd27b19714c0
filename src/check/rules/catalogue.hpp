// The parts of catalogue(). Each side of the checker has its own table, and copies the rules of its rows.
#pragma once

#include <vector>

#include <tenon/check.hpp>

namespace tenon::check {

void add_server_rules(std::vector<Rule>& out);
void add_client_rules(std::vector<Rule>& out);

}  // namespace tenon::check
