// resources/list with templates that list their resources themselves (ResourceOptions::list). The registered resources
// come first, then the resources of each template, in the order of registration. A page is of one kind.
#include <algorithm>

#include "base/cursor.hpp"
#include "core/server/engine.hpp"
#include "json/find.hpp"
#include "protocol/write.hpp"

namespace tenon::core {
namespace {

constexpr char listed_kind = 'l';

// Returns the first template after `order` that lists its resources, or null.
const TemplateEntry* next_lister(const Features& features, std::uint64_t order) {
    const auto& all = features.templates.all();
    const auto found =
        std::ranges::find_if(all, [order](const auto& entry) { return entry->order > order && entry->list; });
    return found == all.end() ? nullptr : found->get();
}

std::string cursor_text(std::uint64_t order, std::string_view cursor) {
    return std::to_string(order) + " " + std::string(cursor);
}

// Splits the text of a sealed cursor, which cursor_text() made.
std::pair<std::uint64_t, std::string> split(const std::string& text) {
    const std::size_t space = text.find(' ');
    return {std::stoull(text.substr(0, space)), text.substr(space + 1)};
}

}  // namespace

Result<HandlerResult> Lists::resources_and_listed(const Call& call, const Features& features, Context& context) const {
    const json::value* cursor = json::find(call.params, "cursor");
    if (cursor && cursor->is_string()) {
        if (const auto text = base::open_text(settings_.cursor_key, listed_kind, cursor->get_string())) {
            auto [order, rest] = split(*text);
            return listed_page(call, features, context, order, std::move(rest));
        }
    }
    auto registered = resources(call, features);
    if (!registered || registered->result.json.find("\"nextCursor\":") != std::string::npos) return registered;
    const TemplateEntry* lister = next_lister(features, 0);
    if (!lister) return registered;
    if (features.resources.empty()) return listed_page(call, features, context, lister->order, {});
    json::Writer w = json::Writer::reopen(registered->result.json);
    w.field("nextCursor", base::seal_text(settings_.cursor_key, listed_kind, cursor_text(lister->order, {})));
    w.end_object();
    return registered;
}

HandlerResult Lists::listed_page(const Call& call, const Features& features, Context& context, std::uint64_t order,
                                 std::string cursor) const {
    Encoded out;
    json::Writer w(out.json);
    w.neutralise(settings_.neutralise_control_characters);
    w.begin_object();
    w.key("resources");
    w.begin_array();
    const TemplateEntry* lister = next_lister(features, order - 1);  // the template may have been removed
    ResourcePage page;
    if (lister) page = lister->list(context, lister->order == order ? cursor : std::string());
    for (const Resource& resource : page.resources)
        if (call.access.allows({UseKind::resource, lister->definition.uriTemplate, resource.uri}))
            protocol::write(w, resource, call.peer->rules);
    w.end_array();
    const TemplateEntry* next = lister && page.next.empty() ? next_lister(features, lister->order) : lister;
    if (next)
        w.field("nextCursor", base::seal_text(settings_.cursor_key, listed_kind, cursor_text(next->order, page.next)));
    CacheHints private_hints = hints(call);
    private_hints.shared = false;
    protocol::write_cache_hints(w, private_hints, call.peer->rules);
    w.end_object();
    return HandlerResult{std::move(out)};
}

MethodOutcome ServerEngine::list_resources(const NewCall& call, const json::object& params) {
    if (!features().lists_resources) return list<&Lists::resources>(call, params);
    return RunHandler{
        Placement::worker, limits_.handler_time,
        [lists = lists_, call = call.get(), known = features_](Context& context, Reply<HandlerResult> reply) {
            try {
                std::move(reply).send(lists.resources_and_listed(*call, *known, context));
            } catch (...) {
                std::move(reply).send(detail::current_error());
            }
        }};
}

}  // namespace tenon::core
