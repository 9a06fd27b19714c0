#include "check/rules/catalogue.hpp"

#include <algorithm>
#include <vector>

#include "base/ascii.hpp"
#include "framing/http_fields.hpp"

namespace tenon::check {
namespace {

bool begins_with(std::string_view id, std::string_view beginning) {
    if (!framing::equal_ignoring_case(id.substr(0, beginning.size()), beginning)) return false;
    const bool cuts_number = !beginning.empty() && base::is_digit(beginning.back()) && id.size() > beginning.size() &&
                             base::is_digit(id[beginning.size()]);
    return !cuts_number;
}

}  // namespace

std::span<const Rule> catalogue() {
    static const std::vector<Rule> all = [] {
        std::vector<Rule> out;
        add_server_rules(out);
        add_client_rules(out);
        return out;
    }();
    return all;
}

std::string Clause::source() const {
    const std::string place = std::string(page) + (anchor.empty() ? "" : "#" + std::string(anchor));
    if (page.starts_with("https://")) return place;
    return "https://modelcontextprotocol.io/specification/" + std::string(revision) + "/" + place;
}

const Clause& Rule::clause(std::string_view revision) const {
    const auto is_asked = [&](const Clause& one) { return one.revision == revision; };
    const auto exact = std::ranges::find_if(clauses, is_asked);
    if (exact != clauses.end()) return *exact;
    const auto newest =
        std::find_if(clauses.rbegin(), clauses.rend(), [](const Clause& one) { return one.level != Level::none; });
    return newest == clauses.rend() ? clauses.back() : *newest;
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
