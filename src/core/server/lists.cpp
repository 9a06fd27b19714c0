#include "core/server/lists.hpp"

#include <algorithm>
#include <span>

#include "base/cursor.hpp"
#include "core/server/apps.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

template <class Entry>
Result<HandlerResult> Lists::page(const Call& call, std::string_view member, const Table<Entry>& table, char kind,
                                  const MayUse& may_use) const {
    json::Reader r(call.params, "params");
    const auto cursor = r.optional_string("cursor");
    const auto after = cursor ? base::open_cursor(settings_.cursor_key, kind, *cursor) : std::uint64_t{0};
    if (!after) r.complain("cursor", "the `nextCursor` of an earlier answer to " + call.method);
    if (!r.ok()) return r.error();

    const auto& all = table.all();
    const auto allowed = [&may_use](const auto& e) { return !may_use || may_use(use_of(e->definition)); };
    auto entry = std::find_if(std::ranges::upper_bound(all, *after, {}, [](const auto& e) { return e->order; }),
                              all.end(), allowed);
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
        entry = std::find_if(entry + 1, all.end(), allowed);
    }
    w.end_array();
    if (entry != all.end()) w.field("nextCursor", base::seal_cursor(settings_.cursor_key, kind, last));
    protocol::write_cache_hints(w, settings_.cache, call.peer->rules);
    w.end_object();
    return HandlerResult{std::move(out)};
}

Result<HandlerResult> Lists::tools(const Call& call, const Features& features, const MayUse& may_use) const {
    if (!features.apps || shows_apps(call.peer->capabilities)) return page(call, "tools", features.tools, 't', may_use);
    return page(call, "tools", features.tools, 't', [&](const Use& use) {
        const auto tool = features.tools.find(use.key);
        return tool && !tool->only_for_apps && (!may_use || may_use(use));
    });
}

Result<HandlerResult> Lists::resources(const Call& call, const Features& features, const MayUse& may_use) const {
    return page(call, "resources", features.resources, 'r', may_use);
}

Result<HandlerResult> Lists::templates(const Call& call, const Features& features, const MayUse& may_use) const {
    return page(call, "resourceTemplates", features.templates, 'u', may_use);
}

Result<HandlerResult> Lists::prompts(const Call& call, const Features& features, const MayUse& may_use) const {
    return page(call, "prompts", features.prompts, 'p', may_use);
}

}  // namespace tenon::core
