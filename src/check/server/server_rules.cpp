#include "check/server/server_rules.hpp"

#include "check/rules/catalogue.hpp"

namespace tenon::check {

std::span<const ServerRule> all_server_rules() {
    static const std::vector<ServerRule> all = [] {
        std::vector<ServerRule> out;
        for (const auto group :
             {messages_rules(), requests_rules(), framing_rules(), lifecycle_rules(), questions_rules(),
              capabilities_rules(), tools_rules(), definitions_rules(), resources_rules(), prompts_rules(),
              http_rules(), security_rules(), properties_rules()})
            out.insert(out.end(), group.begin(), group.end());
        return out;
    }();
    return all;
}

void add_server_rules(std::vector<Rule>& out) {
    for (const ServerRule& row : all_server_rules()) out.push_back(row.rule);
}

}  // namespace tenon::check
