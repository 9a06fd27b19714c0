#include "check/rules/catalogue.hpp"

#include <algorithm>
#include <vector>

#include "check/rules/client_rows.hpp"
#include "framing/http_fields.hpp"

namespace tenon::check {

std::span<const Rule> catalogue() {
    static const std::vector<Rule> all = [] {
        std::vector<Rule> out;
        for (const auto group : {rpc_rules(), integrity_rules(), lifecycle_rules(), tool_rules(), resource_rules(),
                                 prompt_rules(), transport_rules(), security_rules(), property_rules(),
                                 client::message_rows(), client::lifecycle_rows(), client::transport_rows()})
            out.insert(out.end(), group.begin(), group.end());
        return out;
    }();
    return all;
}

const Rule* find_rule(std::string_view id) {
    const auto all = catalogue();
    const auto it =
        std::ranges::find_if(all, [&](const Rule& rule) { return framing::equal_ignoring_case(rule.id, id); });
    return it == all.end() ? nullptr : &*it;
}

}  // namespace tenon::check
