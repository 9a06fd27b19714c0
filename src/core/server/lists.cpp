#include "core/server/lists.hpp"

#include <algorithm>
#include <span>

#include "base/cursor.hpp"
#include "core/server/apps.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

CacheHints Lists::hints(const Call& call) const {
    CacheHints hints = settings_.cache;
    if (call.access.restricts()) hints.shared = false;  // the list depends on its reader
    return hints;
}

template <class Entry, class Shown>
Result<HandlerResult> Lists::page(const Call& call, std::string_view member, const Table<Entry>& table, char kind,
                                  const Shown& shown) const {
    json::Reader r(call.params, "params");
    const auto cursor = r.optional_string("cursor");
    const auto after = cursor ? settings_.cursors.open(kind, *cursor) : std::uint64_t{0};
    if (!after) r.complain("cursor", "the `nextCursor` of an earlier answer to " + call.method);
    if (!r.ok()) return r.error();

    const auto& all = table.all();
    // A plain loop instead of std::find_if, which is compiled as a call for each entry.
    const auto next_allowed = [&shown, &access = call.access, restricted = call.access.restricts(),
                               end = all.end()](auto from) {
        while (from != end && !(shown(**from) && (!restricted || access.allows(use_of((*from)->definition))))) ++from;
        return from;
    };
    auto entry = next_allowed(std::ranges::upper_bound(all, *after, {}, [](const auto& e) { return e->order; }));
    const auto page =
        std::span(entry, all.end())
            .first(std::min<std::size_t>(settings_.limits.page_size, static_cast<std::size_t>(all.end() - entry)));
    std::size_t bytes = jsonrpc::room_for_envelope;
    for (const auto& e : page) bytes += e->spelled.of(call.peer->rules).size() + 1;
    Encoded out;
    out.json.reserve(bytes);
    json::Writer w(out.json);
    w.begin_object();
    w.key(member);
    w.begin_array();
    std::uint64_t last = 0;
    for (std::size_t room = settings_.limits.page_size; room > 0 && entry != all.end(); --room) {
        w.raw((*entry)->spelled.of(call.peer->rules));
        last = (*entry)->order;
        entry = next_allowed(entry + 1);
    }
    w.end_array();
    if (entry != all.end()) w.field("nextCursor", settings_.cursors.close(kind, last));
    protocol::write_cache_hints(w, hints(call), call.peer->rules);
    w.end_object();
    return HandlerResult{std::move(out)};
}

Result<HandlerResult> Lists::tools(const Call& call, const Features& features) const {
    if (!features.apps || shows_apps(call.peer->capabilities)) return page(call, "tools", features.tools, 't');
    return page(call, "tools", features.tools, 't', [](const ToolEntry& tool) { return !tool.only_for_apps; });
}

Result<HandlerResult> Lists::resources(const Call& call, const Features& features) const {
    return page(call, "resources", features.resources, 'r');
}

Result<HandlerResult> Lists::templates(const Call& call, const Features& features) const {
    return page(call, "resourceTemplates", features.templates, 'u');
}

Result<HandlerResult> Lists::prompts(const Call& call, const Features& features) const {
    return page(call, "prompts", features.prompts, 'p');
}

}  // namespace tenon::core
