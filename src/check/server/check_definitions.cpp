// The definitions of tools and prompts: portability, changes, secrets.
#include <functional>

#include "check/server/checks.hpp"
#include "check/server/portable_schema.hpp"
#include "check/server/secret_text.hpp"
#include "check/server/shapes.hpp"
#include "check/server/unsafe_text.hpp"

namespace tenon::check::checks::definitions {
namespace {

// Returns a phrase about a tool, or an empty string when it is fine.
using Judgement = std::function<std::string(std::string_view name, const json::object& tool)>;

// Names the first tool that hosts reject, and counts the others.
Verdict every_tool(Probe& probe, const Judgement& judgement) {
    if (!probe.tools().why.empty()) return not_applicable(probe.tools().why);
    std::string first;
    std::size_t more = 0;
    for (const json::object& tool : probe.tools().entries) {
        const auto* name = string_in(tool, "name");
        const std::string wrong = name ? judgement(*name, tool) : std::string();
        if (wrong.empty()) continue;
        if (first.empty())
            first = "the tool " + std::string(*name).substr(0, 200) + ": " + wrong;
        else
            ++more;
    }
    if (first.empty()) return pass();
    return fail(more == 0 ? first : first + " (and " + std::to_string(more) + " more)");
}

Judgement of_schema(std::string (*judgement)(const json::object& schema)) {
    return [judgement](std::string_view, const json::object& tool) {
        const json::object* schema = object_in(tool, "inputSchema");
        return schema ? judgement(*schema) : std::string();
    };
}

std::string root_keyword(const json::object& schema) {
    const std::string_view keyword = unportable_root(schema);
    return keyword.empty() ? "" : "its inputSchema has `" + std::string(keyword) + "` at the root";
}

// Returns the name of an entry that has another definition in the later list. Added and removed entries do not count.
std::string redefined(const Listing& before, const Listing& after) {
    for (const json::object& entry : after.entries) {
        const auto* name = string_in(entry, "name");
        const json::object* earlier = name ? before.find(*name) : nullptr;
        const bool is_first = name && after.find(*name) == &entry;  // a name may occur twice, by mistake
        if (earlier && is_first && *earlier != entry) return std::string(*name);
    }
    return {};
}

bool has_told(const Conversation& talk, std::string_view method) {
    for (const Received& received : talk.received())
        if (const json::object* o = received.object())
            if (const auto* own = string_in(*o, "method"); own && *own == method) return true;
    return false;
}

// A call may change definitions for good reasons, so the first list is used only if no call was made.
Verdict stay(Probe& probe, const Listing& first, std::string_view feature, std::string_view key) {
    if (!first.why.empty()) return not_applicable(first.why);
    Conversation& talk = probe.talk();
    const std::string method = std::string(feature) + "/list";
    const bool called = !probe.callable_tools().empty() || !probe.runnable_prompts().empty();
    const Listing before = called ? probe.fetch(talk, feature, method, feature) : first;
    const Listing after = probe.fetch(talk, feature, method, feature);
    if (!before.why.empty() || !after.why.empty() || after.endless) return not_applicable("there is no second list");
    const std::string changed = redefined(before, after);
    if (changed.empty()) return pass();
    if (has_told(talk, "notifications/" + std::string(feature) + "/list_changed"))
        return pass("the server announced a change");
    return fail("the " + std::string(key) + " " + changed.substr(0, 200) +
                " has another definition in the second list, and the server did not announce it");
}

// Returns the beginning of the first secret in the texts of a definition.
std::string secret_of(const json::value& value) {
    const auto found = text_that(value, [](std::string_view text) { return !secret_in(text).empty(); });
    return found ? secret_in(*found) : std::string();
}

}  // namespace

Verdict portable_name(Probe& probe) {
    return every_tool(probe, [](std::string_view name, const json::object&) {
        return name.size() > max_portable_name ? "its name has " + std::to_string(name.size()) + " characters"
                                               : std::string();
    });
}
Verdict portable_root(Probe& probe) { return every_tool(probe, of_schema(root_keyword)); }
Verdict portable_parts(Probe& probe) { return every_tool(probe, of_schema(unportable_part)); }

Verdict tools_stay(Probe& probe) { return stay(probe, probe.tools(), "tools", "tool"); }
Verdict prompts_stay(Probe& probe) { return stay(probe, probe.prompts(), "prompts", "prompt"); }

Verdict no_secrets(Probe& probe) {
    if (const std::string found = secret_of(probe.introduction()); !found.empty())
        return fail("what the server says about itself has a key: " + found);
    for (const Listing* listing : {&probe.tools(), &probe.resources(), &probe.templates(), &probe.prompts()})
        for (const json::object& entry : listing->entries)
            if (const std::string found = secret_of(entry); !found.empty()) {
                const auto* name = string_in(entry, "name");
                return fail("the definition of " + (name ? std::string(*name).substr(0, 200) : "an entry") +
                            " has a key: " + found);
            }
    return pass();
}

}  // namespace tenon::check::checks::definitions
