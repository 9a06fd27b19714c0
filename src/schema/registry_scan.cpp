// Scans a new document: finds its subschemas, their identifiers and their anchors.
#include "base/uri_reference.hpp"
#include "schema/refusal.hpp"
#include "schema/registry.hpp"
#include "schema/text.hpp"

namespace tenon::schema {

Registry::Status Registry::scan(const json::value& schema, std::uint32_t resource, std::uint32_t location) {
    const auto* o = schema.if_object();
    if (!o && !schema.is_bool())
        return refuse_at(
            location, "",
            "a schema must be an object or a boolean, got " + std::string(article_and_type(schema)) +
                (schema.is_string() ? "; did you mean {\"type\": \"" + std::string(schema.get_string()) + "\"}?" : ""));
    if (o) {
        auto inner = enter(*o, schema, resource, location);
        if (!inner) return inner.error();
        resource = inner->index;
    }
    places_.emplace(&schema, Place{&schema, resource, location});
    if (!o) return {};
    if (auto r = scan_anchors(*o, schema, resource, location); !r) return r;
    for (const auto& member : *o) {
        const Keyword* keyword = find_keyword(member.key(), resources_[resource].dialect);
        if (!keyword || keyword->shape == Shape::none) continue;
        if (auto r = scan_keyword(*keyword, member.value(), resource, below(location, keyword->name)); !r) return r;
    }
    return {};
}

Registry::Status Registry::scan_keyword(const Keyword& keyword, const json::value& v, std::uint32_t resource,
                                        std::uint32_t location) {
    switch (keyword.shape) {
        case Shape::list: return scan_list(v, resource, location);
        case Shape::map:
        case Shape::map_or_names: return scan_map(keyword, v, resource, location);
        case Shape::one_or_list:
            if (v.is_array()) return scan_list(v, resource, location);
            [[fallthrough]];
        default: return scan(v, resource, location);
    }
}

Registry::Status Registry::scan_list(const json::value& v, std::uint32_t resource, std::uint32_t location) {
    const auto* a = v.if_array();
    if (!a) return refuse_at(location, "", "must be an array of schemas, got " + std::string(article_and_type(v)));
    for (std::size_t i = 0; i < a->size(); ++i)
        if (auto r = scan((*a)[i], resource, below(location, std::to_string(i))); !r) return r;
    return {};
}

Registry::Status Registry::scan_map(const Keyword& keyword, const json::value& v, std::uint32_t resource,
                                    std::uint32_t location) {
    const auto* o = v.if_object();
    if (!o)
        return refuse_at(location, "",
                         "must be an object whose values are schemas, got " + std::string(article_and_type(v)));
    for (const auto& member : *o) {
        if (keyword.shape == Shape::map_or_names && member.value().is_array()) continue;
        if (auto r = scan(member.value(), resource, below(location, member.key())); !r) return r;
    }
    return {};
}

// Adds a new resource if the schema has its own `$id`. Otherwise returns the given resource.
Result<Registry::ResourceId> Registry::enter(const json::object& schema, const json::value& holder,
                                             std::uint32_t resource, std::uint32_t location) {
    const bool draft7 = resources_[resource].dialect.draft == Dialect::draft7;
    const auto* id = schema.if_contains("$id");
    if (!id || (draft7 && schema.contains("$ref"))) return ResourceId{resource};
    if (!id->is_string()) return refuse_at(location, "$id", "must be a string: a URI");

    const auto uri = resolved_uri(resources_[resource], id->get_string(), location);
    if (!uri) return uri.error();
    const auto [document, fragment, has_fragment] = base::split_fragment(*uri);
    if (!fragment.empty() && !draft7)
        return refuse_at(location, "$id", "must not have a fragment; use `$anchor` to name a place inside a document");
    const bool is_root = resources_[resource].root == &holder;
    const bool names_document = !base::split_fragment(id->get_string()).document.empty();
    if (names_document && is_root) {
        resources_[resource].uri = document;
        by_uri_.emplace(document, resource);
    } else if (names_document) {
        const auto index = static_cast<std::uint32_t>(resources_.size());
        if (!by_uri_.emplace(document, index).second)
            return refuse_at(location, "$id",
                             "`" + std::string(document) + "` is the name of another subschema already");
        resources_.push_back({std::string(document), &holder, location, resources_[resource].dialect, {}, {}});
        resource = index;
        if (const auto* dialect = schema.if_contains("$schema"); dialect && dialect->is_string()) {
            auto use = dialect_of(dialect->get_string(), location);
            if (!use) return use.error();
            resources_[index].dialect = *use;
        }
    }
    if (!fragment.empty() && !fragment.starts_with('/'))
        if (auto r = add_anchor(resource, std::string(fragment), holder, location, false); !r) return r.error();
    return ResourceId{resource};
}

namespace {

bool is_anchor_name(std::string_view s) {
    if (s.empty() || (!is_alpha(s[0]) && s[0] != '_')) return false;
    for (const char c : s)
        if (!is_alnum(c) && c != '-' && c != '_' && c != '.' && c != ':') return false;
    return true;
}

}  // namespace

Registry::Status Registry::scan_anchors(const json::object& schema, const json::value& holder, std::uint32_t resource,
                                        std::uint32_t location) {
    const DialectUse dialect = resources_[resource].dialect;
    for (const std::string_view keyword : {"$anchor", "$dynamicAnchor"}) {
        const auto* name = schema.if_contains(keyword);
        if (!name || !find_keyword(keyword, dialect)) continue;
        if (!name->is_string() || !is_anchor_name(name->get_string()))
            return refuse_at(location, keyword,
                             "must be a name: a letter or `_`, then letters, digits, `-`, `_`, `.`, `:`");
        const bool dynamic = keyword == "$dynamicAnchor";
        if (auto r = add_anchor(resource, std::string(name->get_string()), holder, location, dynamic); !r) return r;
    }
    const auto* recursive = schema.if_contains("$recursiveAnchor");
    if (!recursive || !find_keyword("$recursiveAnchor", dialect)) return {};
    if (!recursive->is_bool()) return refuse_at(location, "$recursiveAnchor", "must be a boolean");
    if (recursive->get_bool() && resources_[resource].root == &holder) add_dynamic_anchor(resource, "", holder);
    return {};
}

void Registry::add_dynamic_anchor(std::uint32_t resource, const std::string& name, const json::value& holder) {
    if (!resources_[resource].dynamic_anchors.emplace(name, &holder).second) return;
    dynamic_anchors_[name].push_back({resource, &holder});
    ++dynamic_anchor_count_;
}

Registry::Status Registry::add_anchor(std::uint32_t resource, const std::string& name, const json::value& holder,
                                      std::uint32_t location, bool dynamic) {
    const auto [at, is_new] = resources_[resource].anchors.emplace(name, &holder);
    if (!is_new && at->second != &holder)
        return refuse_at(location, "", "the anchor `" + name + "` names another subschema of this document already");
    if (dynamic) add_dynamic_anchor(resource, name, holder);
    return {};
}

Result<DialectUse> Registry::dialect_of(std::string_view uri, std::uint32_t location, std::size_t hops) {
    constexpr std::size_t max_hops = 4;
    if (const auto draft = draft_of(uri)) return standard_use(*draft);
    const std::string_view document = base::split_fragment(uri).document;
    if (options_.resolver && hops < max_hops) {
        if (const auto metaschema = options_.resolver(document); metaschema && metaschema->is_object()) {
            const auto* vocabularies = metaschema->get_object().if_contains("$vocabulary");
            if (vocabularies && vocabularies->is_object())
                return dialect_from(vocabularies->get_object(), uri, location);
            const auto* parent = metaschema->get_object().if_contains("$schema");
            if (parent && parent->is_string() && parent->get_string() != uri)
                return dialect_of(parent->get_string(), location, hops + 1);
        }
    }
    return refuse_at(
        location, "$schema",
        "the dialect `" + std::string(uri) +
            "` is unknown; use https://json-schema.org/draft/2020-12/schema (or 2019-09, or draft-07), or give "
            "a resolver that knows its metaschema");
}

Result<DialectUse> Registry::dialect_from(const json::object& vocabularies, std::string_view uri,
                                          std::uint32_t location) {
    DialectUse use;
    for (const auto& member : vocabularies) {
        const auto known = vocabulary_of(member.key());
        const bool required = member.value().is_bool() && member.value().get_bool();
        if (!known && required)
            return refuse_at(location, "$schema",
                             "the dialect `" + std::string(uri) + "` requires the vocabulary `" +
                                 std::string(member.key()) + "`, which is unknown here");
        if (!known) continue;
        use.draft = known->draft;
        // In 2019-09 the vocabulary `format` with the value false means no assertions. In 2020-12 an implementation
        // that knows format-assertion must assert.
        const bool asserts = required || known->draft == Dialect::draft2020_12;
        if (known->vocabulary == Vocabulary::format_assertion && !asserts) continue;
        use.vocabularies |= static_cast<unsigned>(known->vocabulary);
    }
    use.vocabularies |= static_cast<unsigned>(Vocabulary::core);
    if (use.draft == Dialect::draft2019_09 && use.has(Vocabulary::applicator))
        use.vocabularies |= static_cast<unsigned>(Vocabulary::unevaluated);
    return use;
}

}  // namespace tenon::schema
