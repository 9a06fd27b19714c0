#include "schema/dialect.hpp"

#include <algorithm>
#include <array>

namespace tenon::schema {
namespace {

using enum Dialect;
using enum Vocabulary;

// Sorted by name.
constexpr std::array keywords{
    Keyword{"$anchor", Shape::none, core, draft2019_09},
    Keyword{"$defs", Shape::map, core, draft2019_09},
    Keyword{"$dynamicAnchor", Shape::none, core, draft2020_12},
    Keyword{"$dynamicRef", Shape::none, core, draft2020_12},
    Keyword{"$id", Shape::none, core},
    Keyword{"$recursiveAnchor", Shape::none, core, draft2019_09, draft2019_09},
    Keyword{"$recursiveRef", Shape::none, core, draft2019_09, draft2019_09},
    Keyword{"$ref", Shape::none, core},
    Keyword{"$schema", Shape::none, core},
    Keyword{"additionalItems", Shape::one, applicator, draft7, draft2019_09},
    Keyword{"additionalProperties", Shape::one, applicator},
    Keyword{"allOf", Shape::list, applicator},
    Keyword{"anyOf", Shape::list, applicator},
    Keyword{"const", Shape::none, validation},
    Keyword{"contains", Shape::one, applicator},
    Keyword{"contentSchema", Shape::one, other, draft2019_09},
    Keyword{"definitions", Shape::map, core},
    Keyword{"dependencies", Shape::map_or_names, applicator},
    Keyword{"dependentRequired", Shape::none, validation, draft2019_09},
    Keyword{"dependentSchemas", Shape::map, applicator, draft2019_09},
    Keyword{"else", Shape::one, applicator},
    Keyword{"enum", Shape::none, validation},
    Keyword{"exclusiveMaximum", Shape::none, validation},
    Keyword{"exclusiveMinimum", Shape::none, validation},
    Keyword{"format", Shape::none, core},
    Keyword{"if", Shape::one, applicator},
    Keyword{"items", Shape::one_or_list, applicator, draft7, draft2019_09},
    Keyword{"items", Shape::one, applicator, draft2020_12},
    Keyword{"maxContains", Shape::none, validation, draft2019_09},
    Keyword{"maxItems", Shape::none, validation},
    Keyword{"maxLength", Shape::none, validation},
    Keyword{"maxProperties", Shape::none, validation},
    Keyword{"maximum", Shape::none, validation},
    Keyword{"minContains", Shape::none, validation, draft2019_09},
    Keyword{"minItems", Shape::none, validation},
    Keyword{"minLength", Shape::none, validation},
    Keyword{"minProperties", Shape::none, validation},
    Keyword{"minimum", Shape::none, validation},
    Keyword{"multipleOf", Shape::none, validation},
    Keyword{"not", Shape::one, applicator},
    Keyword{"oneOf", Shape::list, applicator},
    Keyword{"pattern", Shape::none, validation},
    Keyword{"patternProperties", Shape::map, applicator},
    Keyword{"prefixItems", Shape::list, applicator, draft2020_12},
    Keyword{"properties", Shape::map, applicator},
    Keyword{"propertyNames", Shape::one, applicator},
    Keyword{"required", Shape::none, validation},
    Keyword{"then", Shape::one, applicator},
    Keyword{"type", Shape::none, validation},
    Keyword{"unevaluatedItems", Shape::one, unevaluated, draft2019_09},
    Keyword{"unevaluatedProperties", Shape::one, unevaluated, draft2019_09},
    Keyword{"uniqueItems", Shape::none, validation},
};
static_assert(std::is_sorted(keywords.begin(), keywords.end(), [](auto& a, auto& b) { return a.name < b.name; }));

constexpr unsigned bits(auto... v) { return (static_cast<unsigned>(v) | ...); }
constexpr unsigned usual = bits(core, applicator, unevaluated, validation, other);

struct VocabularyName {
    std::string_view name;
    Vocabulary vocabulary;
};
constexpr std::array vocabularies_2019{VocabularyName{"core", core},
                                       VocabularyName{"applicator", applicator},
                                       VocabularyName{"validation", validation},
                                       VocabularyName{"meta-data", other},
                                       VocabularyName{"format", format_assertion},
                                       VocabularyName{"content", other}};
constexpr std::array vocabularies_2020{VocabularyName{"core", core},
                                       VocabularyName{"applicator", applicator},
                                       VocabularyName{"unevaluated", unevaluated},
                                       VocabularyName{"validation", validation},
                                       VocabularyName{"meta-data", other},
                                       VocabularyName{"format-annotation", other},
                                       VocabularyName{"format-assertion", format_assertion},
                                       VocabularyName{"content", other}};

std::optional<NamedVocabulary> named(std::string_view name, Dialect draft, std::span<const VocabularyName> all) {
    for (const auto& row : all)
        if (row.name == name) return NamedVocabulary{draft, row.vocabulary};
    return std::nullopt;
}

}  // namespace

DialectUse standard_use(Dialect draft) { return {draft, usual}; }

std::optional<Dialect> draft_of(std::string_view metaschema) {
    if (metaschema.ends_with('#')) metaschema.remove_suffix(1);
    if (metaschema == "https://json-schema.org/draft/2020-12/schema") return draft2020_12;
    if (metaschema == "https://json-schema.org/draft/2019-09/schema") return draft2019_09;
    if (metaschema == "http://json-schema.org/draft-07/schema") return draft7;
    if (metaschema == "https://json-schema.org/draft-07/schema")
        return draft7;  // a common mistake: "https" instead of "http"
    return std::nullopt;
}

std::optional<NamedVocabulary> vocabulary_of(std::string_view uri) {
    constexpr std::string_view in_2019 = "https://json-schema.org/draft/2019-09/vocab/";
    constexpr std::string_view in_2020 = "https://json-schema.org/draft/2020-12/vocab/";
    if (uri.starts_with(in_2019)) return named(uri.substr(in_2019.size()), draft2019_09, vocabularies_2019);
    if (uri.starts_with(in_2020)) return named(uri.substr(in_2020.size()), draft2020_12, vocabularies_2020);
    return std::nullopt;
}

const Keyword* find_keyword(std::string_view name, const DialectUse& use) {
    auto at = std::lower_bound(keywords.begin(), keywords.end(), name,
                               [](const Keyword& k, std::string_view n) { return k.name < n; });
    for (; at != keywords.end() && at->name == name; ++at)
        if (use.draft >= at->since && use.draft <= at->until) return use.has(at->vocabulary) ? &*at : nullptr;
    return nullptr;
}

}  // namespace tenon::schema
