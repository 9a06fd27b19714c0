// URI templates (RFC 6570, all four levels): parse once, then expand variables into a URI or match a URI back into
// variables.
//
// Matching has no backtracking: its time is at most the length of the URI times the length of the template. It reads
// a URI so:
//   {a}        one or more unreserved or percent-encoded characters
//   {+a}       one or more reserved, unreserved or percent-encoded characters
//   {#a}       "#" and any such characters
//   {.a}       "." and a label without "."
//   {/a}       "/" and one segment
//   {a*}       a list: {a*} and {+a*} are split at ",", {/a*} at "/", {.a*} at "."
//   {;a,b}     path parameters ";a=1;b", in any order
//   {?a,b}     query parameters "?a=1&b=2", in any order; {&a} the same after "&"; a name that was not asked for, or
//   one
//              that comes twice, is no match
//   {?a*}      a list: every parameter named "a"; when there is none, a map: every parameter that nobody else named
//   {a:3}      a value of at most three characters; where {a} stands too, a prefix of it
// Where an expression has a leading character ("#./;?&"), it may be missing, and so may its last variables: they are
// then left out of the answer. Where a template is ambiguous, variables further left take as much as they can.
// A variable that stands twice must match the same value twice. Values are percent-decoded, and must then be UTF-8.
// A value that could leave its folder when it is used as a path is no match either: see safe_value.hpp.
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
    using Variables = std::map<std::string, Value, std::less<>>;  ///< what is not in it is undefined

    static constexpr std::size_t max_template_length = 8 * 1024;
    static constexpr std::size_t max_parts = 256;             ///< literals and variables
    static constexpr std::size_t max_uri_length = 64 * 1024;  ///< a longer URI matches nothing

    /// Nothing when `text` is not a template; `why` then says what is wrong and where.
    static std::optional<UriTemplate> parse(std::string_view text, std::string* why = nullptr);

    /// Nothing when a variable with a prefix modifier ({a:3}) is a list or a map.
    std::optional<std::string> expand(const Variables& variables) const;

    /// Which values a match may have: those that is_safe_value() allows (safe_value.hpp), or all of them.
    enum class Values { safe, raw };

    /// Returns the variables, or nothing when `uri` does not match or a value is not allowed. Adds to `work` how many
    /// positions of the URI were looked at: at most four for each character and part of the template.
    std::optional<Variables> match(std::string_view uri, Values allowed = Values::safe,
                                   std::size_t* work = nullptr) const;

    /// The names, each once, in the order of the template.
    std::vector<std::string> variables() const;

    const std::string& text() const noexcept { return text_; }

    struct Variable {
        std::string name;
        std::size_t prefix = 0;  ///< the most characters to take; 0: all
        bool explode = false;
    };

    /// A literal, ready for the URI, or an expression.
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
