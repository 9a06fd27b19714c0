// The four list methods. Pages are in the order of registration. Cursors stay valid while the lists change.
#include <algorithm>
#include <span>

#include "base/cursor.hpp"
#include "core/server/engine.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

template <class Entry>
void ServerEngine::list(const CallPtr& call, const json::object& params, std::string_view member,
                        const Table<Entry>& table, char kind) {
    json::Reader r(params, "params");
    const auto cursor = r.optional_string("cursor");
    const auto after = cursor ? base::open_cursor(settings_->cursor_key, kind, *cursor) : std::uint64_t{0};
    if (!after) r.complain("cursor", "the `nextCursor` of an earlier answer to " + call->method);
    if (!r.ok()) return answer(call, r.error());

    const auto& all = table.all();
    const auto allowed = [this](const auto& e) { return !may_use_ || may_use_(use_of(e->definition)); };
    auto entry = std::find_if(std::ranges::upper_bound(all, *after, {}, [](const auto& e) { return e->order; }),
                              all.end(), allowed);
    const auto page = std::span(entry, all.end())
                          .first(std::min<std::size_t>(limits_.page_size, static_cast<std::size_t>(all.end() - entry)));
    std::size_t bytes = jsonrpc::room_for_envelope;
    for (const auto& e : page) bytes += e->spelled.of(call->peer->rules).size() + 1;
    Encoded out;
    out.json.reserve(bytes);
    json::Writer w(out.json);
    w.begin_object();
    w.key(member);
    w.begin_array();
    std::uint64_t last = 0;
    for (std::size_t room = limits_.page_size; room > 0 && entry != all.end(); --room) {
        w.raw((*entry)->spelled.of(call->peer->rules));
        last = (*entry)->order;
        entry = std::find_if(entry + 1, all.end(), allowed);
    }
    w.end_array();
    if (entry != all.end()) w.field("nextCursor", base::seal_cursor(settings_->cursor_key, kind, last));
    protocol::write_cache_hints(w, settings_->cache, call->peer->rules);
    w.end_object();
    answer(call, std::move(out));
}

void ServerEngine::list_tools(const CallPtr& call, const json::object& params) {
    list(call, params, "tools", features().tools, 't');
}

void ServerEngine::list_resources(const CallPtr& call, const json::object& params) {
    list(call, params, "resources", features().resources, 'r');
}

void ServerEngine::list_templates(const CallPtr& call, const json::object& params) {
    list(call, params, "resourceTemplates", features().templates, 'u');
}

void ServerEngine::list_prompts(const CallPtr& call, const json::object& params) {
    list(call, params, "prompts", features().prompts, 'p');
}

}  // namespace tenon::core
