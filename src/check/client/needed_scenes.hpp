// Says which scenes a rule needs, so that `--only` starts the client no more often than necessary. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/client/record.hpp"

namespace tenon::check::client {

/// Returns whether a selected rule is judged by this scene. The plain scene is always needed.
bool is_needed(Scene scene, const std::vector<std::string>& only);

/// Returns whether the rule is judged by every scene, such as the rules about all messages.
bool needs_all_scenes(std::string_view rule);

}  // namespace tenon::check::client
