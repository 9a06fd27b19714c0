// Log levels, and the sink for Tenon's own log. log_lines.hpp writes its records as lines.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#pragma GCC visibility push(default)

namespace tenon {

/// The levels of RFC 5424, least severe first.
enum class LogLevel { debug, info, notice, warning, error, critical, alert, emergency };

std::string_view to_string(LogLevel level);
/// Returns the level with this name, or nullopt.
std::optional<LogLevel> log_level(std::string_view name);

/// A fact of a log record, for example {"method", "tools/call"}.
struct LogField {
    std::string_view name;
    std::string_view value;
};

/// One record of Tenon's own log. The views are valid only during the call of the sink. Text from a peer is shortened,
/// its control characters and hidden characters are escaped, and credentials in it are masked.
struct LogRecord {
    std::chrono::system_clock::time_point time = {};
    LogLevel level = LogLevel::info;
    std::string_view message = {};          ///< one line, without the newline
    std::span<const LogField> fields = {};  ///< each name occurs once
};

/// Receives Tenon's own log, one record at a time. Called from any thread, also from several at once, and never under a
/// lock.
using LogSink = std::function<void(const LogRecord&)>;

/// Receives the text of a log record. For code that has nothing else to tell, such as transports.
using LogNote = std::function<void(LogLevel, std::string_view)>;

}  // namespace tenon

#pragma GCC visibility pop
