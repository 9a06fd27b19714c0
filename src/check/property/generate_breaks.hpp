// Changes a valid value in one place, to make it invalid.
#pragma once

#include <vector>

#include <tenon/json.hpp>

namespace tenon::check {

/// Returns copies of `good`, each with one change that a keyword should forbid. The caller checks each with the
/// validator.
std::vector<json::value> breaks_of(const json::value& schema, const json::value& good);

}  // namespace tenon::check
