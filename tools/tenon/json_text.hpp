// JSON for people and for scripts.
#pragma once

#include <string>

#include <tenon/json.hpp>

#include "safe_text.hpp"

namespace tenon::program {

/// Formats with two spaces per level. Empty arrays and objects stay on one line.
SafeText pretty_json(const json::value& v);
/// Formats as one line.
SafeText compact_json(const json::value& v);

}  // namespace tenon::program
