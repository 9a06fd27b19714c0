// JSON Schema: compile once, validate many.
//
// Drafts 2020-12, 2019-09 and 7. Nothing here touches a network, a file, a clock or a thread: a `$ref` to another
// document is answered by the resolver you give, or not at all.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::schema {

enum class Dialect { draft7, draft2019_09, draft2020_12 };

/// What a schema and one validation may cost. A schema that needs more is refused by compile(); a validation that
/// needs more ends with a violation of the keyword "$budget".
struct Limits {
    std::size_t max_schema_bytes = 4 << 20;    ///< values and the text in them, with the documents it refers to
    std::size_t max_schema_depth = 128;        ///< arrays and objects inside each other
    std::size_t max_subschemas = 20'000;       ///< subschemas that can be reached
    std::size_t max_pattern_bytes = 4096;      ///< length of one regular expression
    std::size_t max_pattern_states = 10'000;   ///< states of one regular expression: about one a character it matches
    std::size_t max_pattern_memory = 4 << 20;  ///< bytes of memory of all regular expressions
    std::size_t max_pattern_work = 4'000'000;  ///< steps of compiling all regular expressions
    std::size_t max_nesting = 1000;            ///< subschemas inside each other during one validation
    std::size_t max_work = 10'000'000;  ///< steps of one validation: subschemas entered, members and bytes looked at
};

/// Gives the document of an absolute URI (without fragment), or nothing when it has none.
using Resolver = std::function<std::optional<json::value>(std::string_view uri)>;

struct Options {
    Dialect default_dialect = Dialect::draft2020_12;  ///< for schemas without `$schema`
    bool assert_formats = false;                      ///< false: `format` is an annotation, as the standard asks
    Resolver resolver;                                ///< empty: only the metaschemas of the three dialects are known
    Limits limits;
};

/// One reason why an instance is not valid.
struct Violation {
    std::string instance_path;  ///< JSON Pointer into the instance
    std::string schema_path;    ///< JSON Pointer into the schema; begins with a URI when it is in another document
    std::string keyword;        ///< "maximum"; "$budget" when the validation became too expensive
    std::string message;        ///< a sentence: "`arguments.days` must be ≤ 7, got 9"

    friend bool operator==(const Violation&, const Violation&) = default;
};

struct Program;

/// A compiled schema. Immutable, cheap to copy, and usable from many threads at once.
class Schema {
 public:
    /// Refuses, with code -32602 and a message that names the place and the remedy: what is not a schema, an unknown
    /// dialect, a reference that leads nowhere, a regular expression that needs backtracking, and what exceeds a limit.
    static Result<Schema> compile(const json::value& schema, const Options& options = {});

    /// Allocates nothing, but for `uniqueItems` and `unevaluated*` on very long arrays and objects, and for regular
    /// expressions that are too large for a table.
    bool accepts(const json::value& instance) const;

    /// The violations, at most `max_violations` of them; none when the instance is valid. `root_name` is what the
    /// messages call the instance.
    std::vector<Violation> check(const json::value& instance, std::size_t max_violations = 10,
                                 std::string_view root_name = "") const;

 private:
    explicit Schema(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
    std::shared_ptr<const Program> program_;
};

}  // namespace tenon::schema
