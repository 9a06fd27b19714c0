// The rows of the catalogue, with one file per group; catalogue() joins them.
#pragma once

#include <span>

#include <tenon/check.hpp>

namespace tenon::check {

std::span<const Rule> rpc_rules();
std::span<const Rule> integrity_rules();
std::span<const Rule> lifecycle_rules();
std::span<const Rule> tool_rules();
std::span<const Rule> resource_rules();
std::span<const Rule> prompt_rules();
std::span<const Rule> transport_rules();
std::span<const Rule> security_rules();
std::span<const Rule> property_rules();

struct RuleText {
    std::string_view title, text, source, remedy, right, wrong;
};
constexpr Rule must(std::string_view id, Severity severity, const RuleText& t) {
    return {id, t.title, Side::server, Level::must, severity, t.text, t.source, t.remedy, t.right, t.wrong};
}
constexpr Rule should(std::string_view id, Severity severity, const RuleText& t) {
    return {id, t.title, Side::server, Level::should, severity, t.text, t.source, t.remedy, t.right, t.wrong};
}

}  // namespace tenon::check
