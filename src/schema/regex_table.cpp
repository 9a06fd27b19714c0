#include "schema/regex_table.hpp"

namespace tenon::schema {

RegexTable RegexTable::build(const Regex&) { return {}; }

}  // namespace tenon::schema
