#include <tenon/log.hpp>

namespace tenon {

namespace {
constexpr std::string_view level_names[] = {"debug", "info",     "notice", "warning",
                                            "error", "critical", "alert",  "emergency"};
}

std::string_view to_string(LogLevel level) { return level_names[static_cast<std::size_t>(level)]; }

std::optional<LogLevel> log_level(std::string_view name) {
    for (std::size_t i = 0; i < std::size(level_names); ++i)
        if (level_names[i] == name) return static_cast<LogLevel>(i);
    return std::nullopt;
}

}  // namespace tenon
