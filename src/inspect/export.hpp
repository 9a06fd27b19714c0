// Writes messages of the history as a file: JSON, or HAR 1.2 for tools that show network traffic. Pure.
#pragma once

#include <string>
#include <vector>

#include "inspect/history.hpp"

namespace tenon::inspect {

/// Where the messages come from.
struct ExportSource {
    std::string target = {};   ///< the URL, or the command
    std::string version = {};  ///< of this program
    bool mask = true;          ///< replace secrets by "***"
};

/// Writes all messages as one JSON document.
std::string export_json(const std::vector<const Message*>& messages, const ExportSource& source);
/// Writes each request with its response as one entry, and every other message as an entry without a response.
std::string export_har(const std::vector<const Message*>& messages, const ExportSource& source);

/// Returns a time in milliseconds since 1970 as ISO 8601: "2026-11-18T00:10:20.123Z".
std::string iso_time(double ms);

}  // namespace tenon::inspect
