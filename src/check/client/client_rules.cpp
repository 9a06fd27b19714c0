#include "check/client/client_rules.hpp"

#include "check/rules/catalogue.hpp"

namespace tenon::check {
namespace client {

std::span<const ClientRule> all_client_rules() {
    static const std::vector<ClientRule> all = [] {
        std::vector<ClientRule> out;
        for (const auto group : {messages_rules(), lifecycle_rules(), question_rules(), transport_rules()})
            out.insert(out.end(), group.begin(), group.end());
        return out;
    }();
    return all;
}

}  // namespace client

void add_client_rules(std::vector<Rule>& out) {
    for (const client::ClientRule& row : client::all_client_rules()) out.push_back(row.rule);
}

}  // namespace tenon::check
