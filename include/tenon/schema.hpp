// JSON Schema: compile a schema once, and validate many values with it.
//
// Supports the drafts 2020-12, 2019-09 and 7. Never uses a network, a file, a clock or a thread: only your own resolver
// can provide the document for a `$ref` to another document.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)

namespace tenon::schema {

enum class Dialect { draft7, draft2019_09, draft2020_12 };

/// Bounds the cost of a schema and of one validation. compile() refuses a schema that exceeds a limit. A validation
/// that exceeds a limit ends with a violation of the keyword "$budget".
struct Limits {
    std::size_t max_schema_bytes = 4 << 20;    ///< size of the values and texts, including referenced documents
    std::size_t max_schema_depth = 128;        ///< nesting of arrays and objects
    std::size_t max_subschemas = 20'000;       ///< subschemas that can be reached
    std::size_t max_pattern_bytes = 4096;      ///< length of one regular expression
    std::size_t max_pattern_states = 10'000;   ///< states of one regular expression: about one per character it matches
    std::size_t max_pattern_memory = 4 << 20;  ///< bytes of memory of all regular expressions
    std::size_t max_pattern_work = 4'000'000;  ///< steps to compile all regular expressions
    std::size_t max_nesting = 1000;            ///< nested subschemas during one validation
    std::size_t max_work = 10'000'000;         ///< steps of one validation: subschemas entered, members and bytes read
};

/// Returns the document of an absolute URI (without fragment), or nullopt when there is no such document.
using Resolver = std::function<std::optional<json::value>(std::string_view uri)>;

/// Options of Schema::compile().
struct Options {
    Dialect default_dialect = Dialect::draft2020_12;  ///< for schemas without `$schema`
    bool assert_formats = false;                      ///< false: `format` is only an annotation, the standard's default
    Resolver resolver;                                ///< empty: only the metaschemas of the three dialects are known
    Limits limits;
};

/// One reason why an instance (the value that was validated) is invalid.
struct Violation {
    std::string instance_path;  ///< JSON Pointer into the instance
    std::string schema_path;    ///< JSON Pointer into the schema; begins with a URI when it is in another document
    std::string keyword;        ///< "maximum"; "$budget" when the validation exceeded a limit
    std::string message;        ///< a sentence: "`arguments.days` must be ≤ 7, got 9"

    friend bool operator==(const Violation&, const Violation&) = default;
};

struct Program;

/// A compiled schema. Immutable, cheap to copy, and thread-safe.
class Schema {
 public:
    /// Compiles a schema. Refuses an invalid schema, an unknown dialect, a reference without a target, a regular
    /// expression that needs backtracking, and a schema that exceeds a limit. The error has code -32602; its message
    /// names the place and the remedy.
    static Result<Schema> compile(const json::value& schema, const Options& options = {});

    /// Returns whether the instance is valid. Allocates no memory, with two exceptions: `uniqueItems` and
    /// `unevaluated*` on very long arrays and objects, and regular expressions that are too large for a table.
    bool accepts(const json::value& instance) const;

    /// Returns at most `max_violations` violations; empty when the instance is valid. The messages call the instance
    /// `root_name`.
    std::vector<Violation> check(const json::value& instance, std::size_t max_violations = 10,
                                 std::string_view root_name = "") const;

 private:
    explicit Schema(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
    std::shared_ptr<const Program> program_;
};

}  // namespace tenon::schema

#pragma GCC visibility pop
