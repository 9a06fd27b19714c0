// Notifications of a server: progress of a call, and log messages.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress
// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
#pragma once

#include <optional>
#include <string>

#include <tenon/json.hpp>
#include <tenon/log.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The progress of a call.
struct Progress {
    double progress = 0;
    std::optional<double> total = {};
    std::string message = {};
};

/// A log message of the server.
struct LogMessage {
    LogLevel level = LogLevel::info;
    std::string logger = {};
    json::value data = nullptr;
};

}  // namespace tenon

#pragma GCC visibility pop
