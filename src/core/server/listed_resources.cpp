// resources/list with templates that list their resources themselves (ResourceOptions::list). The registered resources
// come first, then the resources of each template, in the order of registration. A page is of one kind.
#include <algorithm>
#include <limits>
#include <optional>

#include <tenon/context.hpp>

#include "base/cursor.hpp"
#include "core/server/engine.hpp"
#include "json/find.hpp"
#include "protocol/write.hpp"

namespace tenon::core {
namespace {

constexpr char listed_kind = 'l';
constexpr std::size_t max_lister_calls = 100;  // for one page of a caller that may not read everything

// Returns the first template after `order` that lists its resources, or null.
const TemplateEntry* next_lister(const Features& features, std::uint64_t order) {
    const auto& all = features.templates.all();
    const auto found =
        std::ranges::find_if(all, [order](const auto& entry) { return entry->order > order && entry->list; });
    return found == all.end() ? nullptr : found->get();
}

// Where a page begins: in the list of which template, at which cursor of its own, and after how many resources of it.
struct Place {
    std::uint64_t order = 0;
    std::size_t skip = 0;
    std::string cursor = {};

    std::string text() const { return std::to_string(order) + " " + std::to_string(skip) + " " + cursor; }
};

// Splits a text at its first space. Reads what Place::text() wrote.
std::pair<std::size_t, std::string> split(const std::string& text) {
    return {std::stoull(text), text.substr(text.find(' ') + 1)};
}

// Returns where the list goes on after a page, if it does.
std::optional<Place> place_after(const Features& features, const TemplateEntry& lister, const ResourcePage& page) {
    if (!page.next.empty()) return Place{lister.order, 0, page.next};
    const TemplateEntry* next = next_lister(features, lister.order);
    return next ? std::optional(Place{next->order}) : std::nullopt;
}

// Writes the resources of a page that the call may see, as long as there is room. Returns the position of the first one
// that did not fit, if any.
std::optional<std::size_t> write_page(json::Writer& w, const Call& call, const TemplateEntry& lister,
                                      const ResourcePage& page, std::size_t skip, std::size_t& room) {
    for (std::size_t i = skip; i < page.resources.size(); ++i) {
        const Resource& resource = page.resources[i];
        if (!call.access.allows({UseKind::resource, lister.definition.uriTemplate, resource.uri})) continue;
        if (room == 0) return i;
        protocol::write(w, resource, call.peer->rules);
        --room;
    }
    return std::nullopt;
}

}  // namespace

Result<HandlerResult> Lists::resources_and_listed(const Call& call, const Features& features, Context& context) const {
    const json::value* cursor = json::find(call.params, "cursor");
    if (cursor && cursor->is_string()) {
        if (const auto text = settings_.cursors.open_text(listed_kind, cursor->get_string())) {
            auto [order, rest] = split(*text);
            return listed_page(call, features, context, order, std::move(rest));
        }
    }
    auto registered = resources(call, features);
    if (!registered || registered->result.json.find("\"nextCursor\":") != std::string::npos) return registered;
    const TemplateEntry* lister = next_lister(features, 0);
    if (!lister) return registered;
    const Place begin{lister->order};
    if (features.resources.empty())
        return listed_page(call, features, context, begin.order, split(begin.text()).second);
    json::Writer w = json::Writer::reopen(registered->result.json);
    w.field("nextCursor", settings_.cursors.close_text(listed_kind, begin.text()));
    w.end_object();
    return registered;
}

// A caller that may not read everything gets full pages: a short or empty page would tell that something is hidden.
// `rest` is the text of the Place after its order.
HandlerResult Lists::listed_page(const Call& call, const Features& features, Context& context, std::uint64_t order,
                                 std::string rest) const {
    Encoded out;
    json::Writer w(out.json);
    w.neutralise(settings_.neutralise_control_characters);
    w.begin_object();
    w.key("resources");
    w.begin_array();
    const bool hides = call.access.restricts();
    std::size_t room = hides ? settings_.limits.page_size : std::numeric_limits<std::size_t>::max();
    auto [skip, cursor] = split(rest);
    std::optional<Place> next = Place{order, skip, std::move(cursor)};
    for (std::size_t calls = 0; next && calls < (hides ? max_lister_calls : 1); ++calls) {
        Place place = *std::exchange(next, std::nullopt);
        const TemplateEntry* lister = next_lister(features, place.order - 1);
        if (!lister) break;
        if (lister->order != place.order) place = {lister->order};  // the template was removed
        const ResourcePage page = lister->list(context, place.cursor);
        if (const auto left = write_page(w, call, *lister, page, place.skip, room)) {
            next = Place{place.order, *left, place.cursor};
            break;
        }
        next = place_after(features, *lister, page);
    }
    w.end_array();
    if (next) w.field("nextCursor", settings_.cursors.close_text(listed_kind, next->text()));
    CacheHints private_hints = hints(call);
    private_hints.shared = false;
    protocol::write_cache_hints(w, private_hints, call.peer->rules);
    w.end_object();
    return HandlerResult{std::move(out)};
}

MethodOutcome ServerEngine::list_resources(const NewCall& call, const json::object& params) {
    if (!features().lists_resources) return list<&Lists::resources>(call, params);
    remember_reader(*call);
    return RunHandler{
        Placement::worker, limits_.handler_time,
        [lists = lists_, call = call.get(), known = features_](Context& context, Reply<HandlerResult> reply) {
            try {
                std::move(reply).send(lists.resources_and_listed(*call, *known, context));
            } catch (...) {
                std::move(reply).send(detail::thrown_by_handler(context));
            }
        }};
}

}  // namespace tenon::core
