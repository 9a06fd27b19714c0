#include "schema/regex_property.hpp"

#include <re2/re2.h>
#include <array>

namespace tenon::schema {
namespace {

struct Category {
    std::string_view code, name;
};

constexpr std::array categories{
    Category{"L", "Letter"},
    Category{"Lu", "Uppercase_Letter"},
    Category{"Ll", "Lowercase_Letter"},
    Category{"Lt", "Titlecase_Letter"},
    Category{"Lm", "Modifier_Letter"},
    Category{"Lo", "Other_Letter"},
    Category{"M", "Mark"},
    Category{"M", "Combining_Mark"},
    Category{"Mn", "Nonspacing_Mark"},
    Category{"Mc", "Spacing_Mark"},
    Category{"Me", "Enclosing_Mark"},
    Category{"N", "Number"},
    Category{"Nd", "Decimal_Number"},
    Category{"Nd", "digit"},
    Category{"Nl", "Letter_Number"},
    Category{"No", "Other_Number"},
    Category{"P", "Punctuation"},
    Category{"P", "punct"},
    Category{"Pc", "Connector_Punctuation"},
    Category{"Pd", "Dash_Punctuation"},
    Category{"Ps", "Open_Punctuation"},
    Category{"Pe", "Close_Punctuation"},
    Category{"Pi", "Initial_Punctuation"},
    Category{"Pf", "Final_Punctuation"},
    Category{"Po", "Other_Punctuation"},
    Category{"S", "Symbol"},
    Category{"Sm", "Math_Symbol"},
    Category{"Sc", "Currency_Symbol"},
    Category{"Sk", "Modifier_Symbol"},
    Category{"So", "Other_Symbol"},
    Category{"Z", "Separator"},
    Category{"Zs", "Space_Separator"},
    Category{"Zl", "Line_Separator"},
    Category{"Zp", "Paragraph_Separator"},
    Category{"C", "Other"},
    Category{"Cc", "Control"},
    Category{"Cc", "cntrl"},
    Category{"Cf", "Format"},
    Category{"Cs", "Surrogate"},
    Category{"Co", "Private_Use"},
};

std::optional<std::string> category(std::string_view name) {
    for (const auto& c : categories)
        if (name == c.code || name == c.name) return std::string(c.code);
    return std::nullopt;
}

std::optional<std::string> script(std::string_view name) {
    for (const char c : name)
        if ((c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_') return std::nullopt;
    if (name.size() < 3) return std::nullopt;  // scripts have long names in RE2; short ones are categories
    re2::RE2 probe("\\p{" + std::string(name) + "}", re2::RE2::Quiet);
    return probe.ok() ? std::optional(std::string(name)) : std::nullopt;
}

}  // namespace

std::optional<std::string> re2_property(std::string_view name) {
    const auto equals = name.find('=');
    if (equals == name.npos) return name == "Any" ? std::optional(std::string()) : category(name);
    const std::string_view key = name.substr(0, equals), value = name.substr(equals + 1);
    if (key == "General_Category" || key == "gc") return category(value);
    if (key == "Script" || key == "sc" || key == "Script_Extensions" || key == "scx") return script(value);
    return std::nullopt;
}

}  // namespace tenon::schema
