// Dialects: which keywords a schema has, and which of them hold subschemas.
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
    other = 32,  // annotations: known, and without effect
};

/// A dialect as one schema uses it: a draft and a set of its vocabularies.
struct DialectUse {
    Dialect draft = Dialect::draft2020_12;
    unsigned vocabularies = 0;
    bool has(Vocabulary v) const { return (vocabularies & static_cast<unsigned>(v)) != 0; }
};

/// The draft with the vocabularies its own metaschema names.
DialectUse standard_use(Dialect draft);

/// The draft of a well-known metaschema's URI, with or without an empty fragment.
std::optional<Dialect> draft_of(std::string_view metaschema);

/// The draft and the vocabulary that a URI in `$vocabulary` names.
struct NamedVocabulary {
    Dialect draft;
    Vocabulary vocabulary;
};
std::optional<NamedVocabulary> vocabulary_of(std::string_view uri);

/// How a keyword's value holds subschemas.
enum class Shape { none, one, list, one_or_list, map, map_or_names };

struct Keyword {
    std::string_view name;
    Shape shape;
    Vocabulary vocabulary;
    Dialect since = Dialect::draft7;
    Dialect until = Dialect::draft2020_12;
};

/// The keyword in this dialect, or null when it means nothing there.
const Keyword* find_keyword(std::string_view name, const DialectUse& use);

}  // namespace tenon::schema
