// Names of the enumerators, and counts for reports.
#include <algorithm>

#include <tenon/check.hpp>

namespace tenon::check {

std::string_view to_string(Level level) {
    switch (level) {
        case Level::must: return "must";
        case Level::should: return "should";
        case Level::advice: return "advice";
        case Level::none: return "none";
    }
    return {};
}

std::string_view to_string(Severity severity) {
    switch (severity) {
        case Severity::critical: return "critical";
        case Severity::high: return "high";
        case Severity::medium: return "medium";
        case Severity::low: return "low";
    }
    return {};
}

std::string_view to_string(Side side) { return side == Side::server ? "server" : "client"; }

std::string_view to_string(Outcome outcome) {
    switch (outcome) {
        case Outcome::pass: return "pass";
        case Outcome::fail: return "fail";
        case Outcome::warning: return "warning";
        case Outcome::not_applicable: return "not applicable";
    }
    return {};
}

std::size_t Report::count(Outcome outcome) const {
    return static_cast<std::size_t>(std::ranges::count(findings, outcome, &Finding::outcome));
}

}  // namespace tenon::check
