// Dialects: which keywords a schema may use, and which of them contain subschemas.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <tenon/schema.hpp>

namespace tenon::schema {

enum class Vocabulary : unsigned {
    core = 1,
    applicator = 2,
    unevaluated = 4,
    validation = 8,
    format_assertion = 16,
    other = 32,  // annotations: known keywords without effect
};

/// The dialect of one schema: a draft and the vocabularies of it that are in use.
struct DialectUse {
    Dialect draft = Dialect::draft2020_12;
    unsigned vocabularies = 0;
    bool has(Vocabulary v) const { return (vocabularies & static_cast<unsigned>(v)) != 0; }
};

/// Returns the draft with the vocabularies that its own metaschema names.
DialectUse standard_use(Dialect draft);

/// Returns the draft for the URI of a well-known metaschema. The URI may end with an empty fragment.
std::optional<Dialect> draft_of(std::string_view metaschema);

/// A URI in `$vocabulary` names a draft and a vocabulary.
struct NamedVocabulary {
    Dialect draft;
    Vocabulary vocabulary;
};
std::optional<NamedVocabulary> vocabulary_of(std::string_view uri);

/// How the value of a keyword contains subschemas.
enum class Shape { none, one, list, one_or_list, map, map_or_names };

struct Keyword {
    std::string_view name;
    Shape shape;
    Vocabulary vocabulary;
    Dialect since = Dialect::draft7;
    Dialect until = Dialect::draft2020_12;
};

/// Returns the keyword, or null when this dialect does not know it.
const Keyword* find_keyword(std::string_view name, const DialectUse& use);

}  // namespace tenon::schema
