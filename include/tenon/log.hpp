// Log levels, and the sink for Tenon's own log.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#pragma GCC visibility push(default)

namespace tenon {

/// The levels of RFC 5424, least severe first.
enum class LogLevel { debug, info, notice, warning, error, critical, alert, emergency };

std::string_view to_string(LogLevel level);
/// Returns the level with this name, or nullopt.
std::optional<LogLevel> log_level(std::string_view name);

/// Receives Tenon's own log, one line at a time, without the newline. Called from any thread, also from several at
/// once, and never under a lock. Text from a peer is shortened, and its control characters are escaped.
using LogSink = std::function<void(LogLevel, std::string_view)>;

}  // namespace tenon

#pragma GCC visibility pop
