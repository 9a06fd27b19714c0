#include "schema/registry.hpp"

#include <charconv>

#include "base/uri.hpp"
#include "base/uri_reference.hpp"
#include "schema/metaschema.hpp"
#include "schema/refusal.hpp"

namespace tenon::schema {

Error Registry::refuse_at(std::uint32_t location, std::string_view keyword, std::string_view what) const {
    return refuse(locations_, location, keyword, what);
}

std::uint32_t Registry::below(std::uint32_t parent, std::string_view token) {
    locations_.push_back({parent, std::string(token)});
    return static_cast<std::uint32_t>(locations_.size() - 1);
}

// Refuses a document that is larger or deeper than the limits. Later code may therefore recurse over the document.
Registry::Status Registry::measure(const json::value& v, std::uint32_t location, std::size_t depth) {
    const Limits& limits = options_.limits;
    bytes_ += 1;
    if (const auto* s = v.if_string()) bytes_ += s->size();
    if (bytes_ > limits.max_schema_bytes)
        return refuse_at(location, "",
                         "larger than the limit of " + std::to_string(limits.max_schema_bytes) + " bytes");
    if (depth > limits.max_schema_depth)
        return refuse_at(location, "",
                         "nested deeper than the limit of " + std::to_string(limits.max_schema_depth) + " levels");
    if (const auto* o = v.if_object()) {
        for (const auto& member : *o) {
            bytes_ += member.key().size();
            if (auto r = measure(member.value(), location, depth + 1); !r) return r;
        }
    } else if (const auto* a = v.if_array()) {
        for (const auto& element : *a)
            if (auto r = measure(element, location, depth + 1); !r) return r;
    }
    return {};
}

Result<Registry::ResourceId> Registry::add_document(const json::value& schema, std::string_view uri, Dialect fallback) {
    const std::uint32_t location = below(Location::none, uri);
    if (auto r = measure(schema, location, 0); !r) return r.error();
    const auto index = static_cast<std::uint32_t>(resources_.size());
    resources_.push_back({std::string(uri), &schema, location, standard_use(fallback), {}, {}});
    by_uri_.emplace(uri, index);
    if (const auto* o = schema.if_object()) {
        if (const auto* dialect = o->if_contains("$schema")) {
            if (!dialect->is_string()) return refuse_at(location, "$schema", "must be a string: the URI of a dialect");
            auto use = dialect_of(dialect->get_string(), location);
            if (!use) return use.error();
            resources_[index].dialect = *use;
        }
    }
    if (auto r = scan(schema, index, location); !r) return r.error();
    return ResourceId{index};
}

Result<Place> Registry::add_root(const json::value& schema) {
    auto index = add_document(schema, "", options_.default_dialect);
    if (!index) return index.error();
    return places_.at(&schema);
}

Result<Registry::ResourceId> Registry::find_resource(const Place& from, std::string_view uri) {
    if (const auto at = by_uri_.find(uri); at != by_uri_.end()) return ResourceId{at->second};
    std::optional<json::value> document = metaschema(uri);
    if (!document && options_.resolver && !uri.empty()) document = options_.resolver(uri);
    if (!document)
        return refuse_at(from.location, "",
                         "refers to `" + std::string(uri) +
                             "`, which is not in the schema; put it into `$defs`, or give a resolver that knows it");
    documents_.push_back(std::move(*document));
    return add_document(documents_.back(), uri, resources_[from.resource].dialect.draft);
}

// Each reference copies the URI of its base. A long base and many references would take too much time and memory, so
// the sum is limited.
Result<std::string> Registry::resolved_uri(const Resource& base, std::string_view reference, std::uint32_t location) {
    uri_bytes_ += base.uri.size() + reference.size();
    if (uri_bytes_ > options_.limits.max_schema_bytes)
        return refuse_at(location, "",
                         "the URIs of all references together are longer than the limit of " +
                             std::to_string(options_.limits.max_schema_bytes) +
                             " bytes (max_schema_bytes); use a shorter `$id`");
    return base::resolve_uri(base.uri, reference);
}

Result<Place> Registry::resolve(const Place& from, std::string_view reference) {
    const auto uri = resolved_uri(resources_[from.resource], reference, from.location);
    if (!uri) return uri.error();
    const auto [document, fragment, has_fragment] = base::split_fragment(*uri);
    auto index = find_resource(from, document);
    if (!index) return index.error();
    const Resource& resource = resources_[index->index];
    const auto decoded = base::percent_decode(fragment);
    if (!decoded) return refuse_at(from.location, "", "refers to `" + std::string(reference) + "`, which is not a URI");
    if (decoded->empty() || decoded->starts_with('/')) return find_pointer(from, resource, *decoded);
    return find_anchor(from, resource, *decoded);
}

Result<Place> Registry::find_anchor(const Place& from, const Resource& resource, const std::string& anchor) {
    const auto at = resource.anchors.find(anchor);
    if (at == resource.anchors.end())
        return refuse_at(from.location, "", "refers to the anchor `#" + anchor + "`, which is not there");
    return places_.at(at->second);
}

const json::value* Registry::step(const json::value& v, const std::string& token) const {
    if (const auto* o = v.if_object()) return o->if_contains(token);
    const auto* a = v.if_array();
    std::size_t i = 0;
    const auto end = token.data() + token.size();
    const auto [stop, ec] = std::from_chars(token.data(), end, i);
    if (!a || ec != std::errc() || stop != end || i >= a->size()) return nullptr;
    return &(*a)[i];
}

namespace {

std::string unescaped(std::string_view token) {
    std::string out;
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1'))
            out += token[++i] == '0' ? '~' : '/';
        else
            out += token[i];
    }
    return out;
}

}  // namespace

// A reference may point into an unknown keyword. The value there then becomes a schema, with the base URI of the schema
// around it.
Result<Place> Registry::find_pointer(const Place& from, const Resource& resource, std::string_view pointer) {
    Place at = places_.at(resource.root);
    std::string_view rest = pointer;
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view raw = rest.substr(0, rest.find('/'));
        const std::string token = unescaped(raw);
        const json::value* next = step(*at.schema, token);
        if (!next) return refuse_at(from.location, "", "refers to `#" + std::string(pointer) + "`, which is not there");
        const auto known = places_.find(next);
        at = known != places_.end() ? known->second : Place{next, at.resource, below(at.location, token)};
        rest.remove_prefix(raw.size());
    }
    if (!places_.contains(at.schema))
        if (auto r = scan(*at.schema, at.resource, at.location); !r) return r.error();
    return places_.at(at.schema);
}

}  // namespace tenon::schema
