// JSON for people and for scripts.
#pragma once

#include <string>

#include <tenon/json.hpp>

#include "safe_text.hpp"

namespace tenon::program {

/// With two spaces a level, and no line for what is empty.
SafeText pretty_json(const json::value& v);
/// One line.
SafeText compact_json(const json::value& v);

}  // namespace tenon::program
