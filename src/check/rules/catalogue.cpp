#include "check/rules/catalogue.hpp"

#include <algorithm>
#include <vector>

#include "check/rules/client_rows.hpp"
#include "framing/http_fields.hpp"

namespace tenon::check {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool begins_with(std::string_view id, std::string_view beginning) {
    if (!framing::equal_ignoring_case(id.substr(0, beginning.size()), beginning)) return false;
    const bool cuts_number = !beginning.empty() && is_digit(beginning.back()) && id.size() > beginning.size() &&
                             is_digit(id[beginning.size()]);
    return !cuts_number;
}

}  // namespace

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

bool is_selected(std::string_view id, const std::vector<std::string>& only) {
    return only.empty() || std::ranges::any_of(only, [&](const std::string& one) { return begins_with(id, one); });
}

}  // namespace tenon::check
