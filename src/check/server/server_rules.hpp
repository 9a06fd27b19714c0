// The table of rules for servers: one row per rule, with its text and its check. Each group has its own file,
// rules_*.cpp.
#pragma once

#include <span>

#include "check/server/probe.hpp"

namespace tenon::check {

using RunCheck = Verdict (*)(Probe&);

/// For a rule without a check of its own: the Judge applies it to every message that other checks receive.
inline constexpr RunCheck by_judge = nullptr;

/// The transport that a rule is about.
enum class Transport { any, stdio, http };

/// The connection of a check. Over stdio each new connection is a start of the server, so the checks of a kind run
/// together.
enum class Connection { shared, own };

struct ServerRule {
    Rule rule;
    RunCheck check = by_judge;
    Connection connection = Connection::shared;
    Transport transport = Transport::any;
    bool is_attack = false;            ///< only with Options::security
    std::string_view capability = {};  ///< the rule applies only to servers with this capability
};

/// Returns all rows, in the order of reports.
std::span<const ServerRule> all_server_rules();

std::span<const ServerRule> messages_rules();
std::span<const ServerRule> requests_rules();
std::span<const ServerRule> framing_rules();
std::span<const ServerRule> lifecycle_rules();
std::span<const ServerRule> capabilities_rules();
std::span<const ServerRule> questions_rules();
std::span<const ServerRule> tools_rules();
std::span<const ServerRule> definitions_rules();
std::span<const ServerRule> resources_rules();
std::span<const ServerRule> prompts_rules();
std::span<const ServerRule> http_rules();
std::span<const ServerRule> security_rules();
std::span<const ServerRule> properties_rules();

}  // namespace tenon::check
