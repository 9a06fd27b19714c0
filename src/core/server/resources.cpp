#include "base/uri.hpp"
#include "core/server/engine.hpp"
#include "core/server/redaction.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {
namespace {

struct Found {
    ResourceHandler handler;
    Placement placement;
    ResourceRequest request;
};

std::vector<std::string> flatten(const base::UriTemplate::Value& value) {
    if (const auto* one = std::get_if<std::string>(&value)) return {*one};
    if (const auto* list = std::get_if<base::UriTemplate::List>(&value)) return *list;
    std::vector<std::string> out;
    for (const auto& [key, v] : std::get<base::UriTemplate::Map>(value)) out.emplace_back(key).append("=").append(v);
    return out;
}

// Finds the resource with exactly this URI, or else the first template that matches.
std::optional<Found> find(const Features& features, const std::string& uri) {
    if (const auto entry = features.resources.find(uri)) return Found{entry->handler, entry->placement, {uri, {}}};
    for (const auto& entry : features.templates.all()) {
        const auto variables = entry->match(uri);
        if (!variables) continue;
        Found found{entry->handler, entry->placement, {uri, {}}};
        for (const auto& [name, value] : *variables) found.request.variables.emplace(name, flatten(value));
        return found;
    }
    return std::nullopt;
}

Result<HandlerResult> finish_read(Result<ReadResult> outcome, const protocol::Rules& rules, const Settings& settings) {
    if (!outcome) return redacted(outcome.error(), settings);
    Redaction(settings).apply(*outcome);
    return HandlerResult{protocol::encode(*outcome, rules, settings.neutralise_control_characters),
                         std::move(outcome->meta)};
}

}  // namespace

Result<std::string> ServerEngine::checked_uri(const json::object& params) const {
    json::Reader r(params, "params");
    const std::string uri = r.string("uri");
    if (!r.ok()) return r.error();
    const auto parsed = base::parse_uri(uri);
    if (!parsed) r.complain("uri", "a URI with a scheme (RFC 3986)");
    if (parsed && base::has_traversal(*parsed))
        r.complain("uri", "without \".\" and \"..\" segments, backslashes and NUL");
    if (!r.ok()) return r.error();
    return uri;
}

Error ServerEngine::unknown_resource(std::string_view uri) const {
    return {code::resource_not_found, "Resource not found: " + quote(uri), json::object{{"uri", uri}}};
}

bool ServerEngine::has_resource(const std::string& uri) { return find(features(), uri).has_value(); }

MethodOutcome ServerEngine::read_resource(const NewCall& call, const json::object& params) {
    const auto uri = checked_uri(params);
    if (!uri) return uri.error();
    auto found = find(features(), *uri);
    if (!found) return unknown_resource(*uri);
    set_name(*call, *uri);
    const Placement placement = found->placement;
    CacheHints hints = settings_->cache;
    if (call->access.restricts()) hints.shared = false;  // not every caller may read it
    return RunHandler{placement, limits_.handler_time,
                      [found = *std::move(found), rules = call->peer->rules, hints, settings = settings_.get()](
                          Context& context, Reply<HandlerResult> reply) {
                          found.handler(context, found.request,
                                        make_reply<ReadResult>([rules, hints, settings, reply = std::move(reply)](
                                                                   Result<ReadResult> outcome) mutable {
                                            if (outcome && !outcome->cache) outcome->cache = hints;
                                            std::move(reply).send(finish_read(std::move(outcome), rules, *settings));
                                        }));
                      }};
}

}  // namespace tenon::core
