// What could be done to a good value so that a schema refuses it: one change each.
#pragma once

#include <vector>

#include <tenon/json.hpp>

namespace tenon::check {

/// `good`, each time with one thing changed that a keyword of the schema forbids. That it forbids just that is for the
/// validator to say.
std::vector<json::value> breaks_of(const json::value& schema, const json::value& good);

}  // namespace tenon::check
