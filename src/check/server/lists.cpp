#include "check/server/lists.hpp"

#include <algorithm>
#include <set>

#include "check/server/shapes.hpp"

namespace tenon::check {

namespace {

std::vector<std::string> keys_of(const json::array& entries, std::string_view key) {
    std::vector<std::string> out;
    for (const json::value& entry : entries)
        if (const json::object* o = entry.if_object())
            if (const auto* name = string_in(*o, key)) out.emplace_back(*name);
    return out;
}

}  // namespace

Verdict unique(const Listing& listing, std::string_view key, std::string_view what) {
    if (!listing.why.empty()) return not_applicable(listing.why);
    if (listing.endless) return not_applicable("the list has no end");
    std::set<std::string> seen;
    for (const json::object& entry : listing.entries)
        if (const auto* name = string_in(entry, key); name && !seen.insert(std::string(*name)).second)
            return fail("two " + std::string(what) + " have the " + std::string(key) + " " + std::string(*name));
    return pass();
}

Verdict ends(const Listing& listing) {
    if (!listing.why.empty()) return not_applicable(listing.why);
    return listing.endless ? fail("a cursor repeats, so the list has no end") : pass();
}

bool has_template_for(const Listing& templates, std::string_view uri) {
    return std::ranges::any_of(templates.entries, [&](const json::object& entry) {
        const auto* text = string_in(entry, "uriTemplate");
        return text && uri.starts_with(std::string_view(*text).substr(0, text->find('{')));
    });
}

Verdict refuses_cursor(Probe& probe, const Listing& listing, std::string_view method) {
    if (!listing.why.empty()) return not_applicable(listing.why);
    const Answer answer = probe.ask(method, {{"cursor", "tenon-check: no cursor of yours"}});
    return expect_error(answer, {code::invalid_params});
}

Verdict same_twice(Probe& probe, const Listing& listing, std::string_view method, std::string_view member,
                   std::string_view key) {
    if (!listing.why.empty()) return not_applicable(listing.why);
    const Answer first = probe.ask(method), second = probe.ask(method);
    const json::array *before = array_in(first.result(), member), *after = array_in(second.result(), member);
    if (!before || !after) return not_applicable("there is no second list");
    return keys_of(*before, key) == keys_of(*after, key) ? pass()
                                                         : fail("two requests for the same list gave different orders");
}

}  // namespace tenon::check
