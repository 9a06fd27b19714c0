// Changes that the server must tell: TOOL-7, RES-7, RES-8, PROMPT-6.
#include <algorithm>

#include "check/server/checks.hpp"

namespace tenon::check::checks::changes {
namespace {

std::string list_of(const std::set<std::string>& names, const std::set<std::string>& others) {
    for (const std::string& name : names)
        if (!others.contains(name)) return "`" + name.substr(0, 200) + "`";
    return {};
}

// Returns why nothing can have changed; empty: calls were made and watched.
std::string unseen(Probe& probe) {
    if (probe.calls().empty()) return "no tool may be called, so nothing changes: see --call and --allow-writes";
    return probe.changes().why;
}

Verdict told(Probe& probe, std::string_view feature, const std::set<std::string> Offer::*part) {
    if (!probe.declares(feature, "listChanged")) return not_applicable("the server does not declare listChanged");
    if (std::string why = unseen(probe); !why.empty()) return not_applicable(std::move(why));
    const ServerChanges& seen = probe.changes();
    const std::set<std::string>&before = seen.before.*part, &after = seen.after.*part;
    const std::string method = "notifications/" + std::string(feature) + "/list_changed";
    if (before == after) return not_applicable("no call changed the list");
    if (!seen.heard.contains(method)) return not_applicable("the server did not agree to announce it");
    if (seen.announced.contains(method)) return pass();
    const std::string added = list_of(after, before), removed = list_of(before, after);
    return fail("during calls of tools " + (added.empty() ? removed + " was removed" : added + " was added") +
                ", but no " + method + " came");
}

}  // namespace

Verdict tools_told(Probe& probe) { return told(probe, "tools", &Offer::tools); }
Verdict resources_told(Probe& probe) { return told(probe, "resources", &Offer::resources); }
Verdict prompts_told(Probe& probe) { return told(probe, "prompts", &Offer::prompts); }

Verdict updates_told(Probe& probe) {
    if (!probe.declares("resources", "subscribe")) return not_applicable("the server does not declare subscriptions");
    if (std::string why = unseen(probe); !why.empty()) return not_applicable(std::move(why));
    const ServerChanges& seen = probe.changes();
    bool any = false;
    for (const auto& [uri, text] : seen.before.contents) {
        const auto now = seen.after.contents.find(uri);
        if (now == seen.after.contents.end() || now->second == text) continue;
        any = true;
        // The URI of an update may be that of a part of the resource.
        const auto is_about = [&](const std::string& updated) { return updated.starts_with(uri); };
        if (std::ranges::none_of(seen.updated, is_about))
            return fail(uri +
                        " was subscribed to and changed during calls of tools, but no "
                        "notifications/resources/updated came");
    }
    return any ? pass() : not_applicable("no call changed a resource that was subscribed to");
}

}  // namespace tenon::check::checks::changes
