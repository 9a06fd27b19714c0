// Levels of log messages, and where Tenon's own go.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

namespace tenon {

/// RFC 5424, least severe first.
enum class LogLevel { debug, info, notice, warning, error, critical, alert, emergency };

std::string_view to_string(LogLevel level);
std::optional<LogLevel> log_level(std::string_view name);

/// Receives Tenon's own log lines, one sentence each, without a newline. Called from any thread, never under a lock.
/// Strings that came from a peer are shortened and have no control characters.
using LogSink = std::function<void(LogLevel, std::string_view)>;

}  // namespace tenon
