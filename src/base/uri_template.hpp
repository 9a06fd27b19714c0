// URI templates (RFC 6570, all four levels): parse once, then expand variables into a URI, or match a URI and get its
// variables.
//
// Matching does not backtrack: its time is at most the length of the URI times the length of the template. The rules of
// matching:
//   {a}        one or more unreserved or percent-encoded characters
//   {+a}       one or more reserved, unreserved or percent-encoded characters
//   {#a}       "#" and any such characters
//   {.a}       "." and a label without "."
//   {/a}       "/" and one segment
//   {a*}       a list: {a*} and {+a*} are split at ",", {/a*} at "/", {.a*} at "."
//   {;a,b}     path parameters ";a=1;b", in any order
//   {?a,b}     query parameters "?a=1&b=2", in any order; {&a} the same after "&"; an unknown name does not match,
//              and neither does a name that occurs twice
//   {?a*}      a list: every parameter named "a"; without such a parameter, a map: every parameter with an unknown name
//   {a:3}      a value of at most three characters; if {a} occurs, too, a prefix of its value
//
// An expression with a leading character ("#./;?&") may be missing in the URI, and so may its last variables: the
// result is then without them. When a template is ambiguous, variables further left take as much as they can. A
// variable that occurs twice must have the same value twice. Values are percent-decoded, and must then be UTF-8. A
// value that could leave its folder when it is used as a path does not match: see safe_value.hpp.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tenon::base {

class UriTemplate {
 public:
    using List = std::vector<std::string>;
    using Map = std::vector<std::pair<std::string, std::string>>;  ///< in the order of expansion
    using Value = std::variant<std::string, List, Map>;
    using Variables = std::map<std::string, Value, std::less<>>;  ///< other variables are undefined

    static constexpr std::size_t max_template_length = 8 * 1024;
    static constexpr std::size_t max_parts = 256;             ///< literals and variables
    static constexpr std::size_t max_uri_length = 64 * 1024;  ///< a longer URI does not match

    /// Returns nullopt when `text` is not a template. `why` then says what is wrong and where.
    static std::optional<UriTemplate> parse(std::string_view text, std::string* why = nullptr);

    /// Returns nullopt when a variable with a prefix modifier ({a:3}) is a list or a map.
    std::optional<std::string> expand(const Variables& variables) const;

    /// The values that a match may have: those that is_safe_value() allows (safe_value.hpp), or all.
    enum class Values { safe, raw };

    /// Returns the variables, or nullopt when `uri` does not match or a value is not allowed. Adds the number of
    /// examined positions to `work`: at most four for each pair of a character of the URI and a part of the template.
    std::optional<Variables> match(std::string_view uri, Values allowed = Values::safe,
                                   std::size_t* work = nullptr) const;

    /// Returns the names of the variables, each once, in the order of the template.
    std::vector<std::string> variables() const;

    const std::string& text() const noexcept { return text_; }

    struct Variable {
        std::string name;
        std::size_t prefix = 0;  ///< the most characters of the value; 0: all
        bool explode = false;
    };

    /// A literal, encoded for the URI, or an expression.
    struct Part {
        std::string literal;
        char op = 0;  ///< one of "+#./;?&", or 0 for a simple expression
        std::vector<Variable> variables;

        bool is_literal() const noexcept { return variables.empty(); }
    };

 private:
    explicit UriTemplate(std::string_view text, std::vector<Part> parts) : text_(text), parts_(std::move(parts)) {}

    std::string text_;
    std::vector<Part> parts_;
};

}  // namespace tenon::base
