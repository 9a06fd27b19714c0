// The words for steps and differences of a replayed handler. See ReplayTrace.
#pragma once

#include <string>
#include <string_view>

#include <tenon/log.hpp>

#include "core/server/question.hpp"

namespace tenon::core {

std::string question_step(const Question& question);
std::string once_step(std::string_view key);
std::string log_step(LogLevel level, std::string_view logger);

/// Returns the warning about a handler that did something else when it was replayed.
std::string replay_warning(const Call& call, std::string_view difference);

}  // namespace tenon::core
