// JSON, URLs, regular expressions and schemas.
#include <tenon/json.hpp>
#include <tenon/schema.hpp>

#include "base/utf8.hpp"
#include "differential/subjects.hpp"
#include "harness/cases.hpp"
#include "schema/pattern.hpp"
#include "web/url.hpp"

namespace tenon::differential {
namespace {

using fuzz::Cases;

std::string refused(const Error& why) { return "-" + why.message; }

// Returns a case that is UTF-8. Other cases would only show that malformed UTF-8 is refused.
std::string text_of(Cases& cases) {
    std::string out;
    do out = cases.next();
    while (!base::is_utf8(out));
    return out;
}

std::string written(const Result<web::Url>& url) { return url ? "+" + url->text() : refused(url.error()); }

std::string match(std::string_view source, std::string_view text) {
    schema::PatternBudget compiling{.memory = 1 << 20, .steps = 4'000'000};
    const auto pattern = schema::Pattern::compile(source, {}, compiling);
    if (!pattern) return refused(pattern.error());
    schema::Budget matching(10'000'000);
    return pattern->matches(text, matching) ? "+yes" : "+no";
}

}  // namespace

void json_cases(std::uint64_t seed, std::size_t count) {
    Cases cases(
        seed, {R"({"a":[1,2.5e-3,true,null,"\u0041\n"],"b":{}})", R"([[],[{}],-0,1e5,"é"])", R"("\ud83d\ude00")", "0"},
        {"{",    "}",   "[",  "]",  ":",       ",",       "\"a\"",        "\"\"",     "\"",
         "\\",   "1",   "-",  "0",  ".5",      "e3",      "E-2",          "true",     "false",
         "null", " ",   "\t", "\n", "\\u0041", "\\ud800", "\xEF\xBB\xBF", "\"b\":1,", "1e400",
         "é",    "\x01"});
    for (; count > 0; --count) {
        const std::string text = cases.next();
        const auto value = json::parse(text);
        write_case({text, value ? "+" + json::write(*value) : refused(value.error())});
    }
}

void url_cases(std::uint64_t seed, std::size_t count) {
    Cases cases(seed,
                {"https://example.com:8443/a/b/c?q=1#f", "http://[::1]:80/", "http://127.0.0.1/a",
                 "https://h/a/../b/./c", "https://user:pw@h.example/x", "https://xn--bcher-kva.example/"},
                {"http://", "https://", "HTTP:", "//", "/",     "\\",    "..",    "./",    "?",      "#",   "@",
                 ":",       "80",       ":443",  "a",  "B.c",   "[::1]", "[1::2", "127.1", "0x7f.1", "%2e", "%41",
                 "%zz",     " ",        "\t",    "é",  "a=b&c", ";",     "|",     "<",     "1.2.3.4"});
    const web::Url base = web::parse_url("https://base.example:8443/a/b/c?q").value();
    for (; count > 0; --count) {
        const std::string text = text_of(cases);
        write_case({text, written(web::parse_url(text)), written(web::resolve_reference(base, text))});
    }
}

void regex_cases(std::uint64_t seed, std::size_t count) {
    Cases cases(
        seed,
        {"^[A-Z]{3}-[0-9]+$", "a|b*c?", R"(^\d+(?:\.\d{1,2})?$)", R"(\bfoo\b)", "^(a|b){0,5}$", R"([^\s]+@\w+)",
         R"([\u{1F600}-\u{1F64F}])", "^$"},
        {"a",         "b",         "c",       "0",     "-",      "^",     "$",     "(",     "(?:",      ")",
         "[",         "[^",        "]",       "*",     "+",      "?",     "*?",    "{2}",   "{0,2}",    "{1,",
         "|",         ".",         R"(\d)",   R"(\D)", R"(\w)",  R"(\W)", R"(\s)", R"(\S)", R"(\b)",    R"(\B)",
         R"(\u0061)", R"(\u{62})", R"(\x63)", R"(\n)", R"(\cJ)", R"(\-)", R"(\/)", R"(\.)", R"(\p{L})", R"(\P{Nd})",
         R"(\1)",     "(?=a)",     "(?<n>",   "é",     "😀",      "a-c",   "\n"});
    Cases texts(seed + 1, {"ABC-12", "foo bar", "3.14", "aabbcc", "", "a@b", "😀", "é0_"},
                {"a", "b", "c", "0", "1", "-", " ", "\n", "\r", "_", "é", "😀", "\xC2\xA0", "\xE2\x80\xA8", "A", "@"});
    for (; count > 0; --count) {
        const std::string pattern = text_of(cases), text = text_of(texts);
        write_case({pattern, text, match(pattern, text)});
    }
}

namespace {

// Builds schemas from keywords, because most changed texts would not be schemas.
json::value any_instance(Cases& c, int depth) {
    switch (c.below(depth > 0 ? 9 : 6)) {
        case 0: return nullptr;
        case 1: return c.one_in(2);
        case 2: return static_cast<std::int64_t>(c.below(7)) - 2;
        case 3: return static_cast<double>(c.below(40)) / 4 - 2;
        case 4: return json::value(std::string_view(c.word()));
        case 5: return json::array();
        case 6: return json::array{any_instance(c, depth - 1), any_instance(c, depth - 1)};
        case 7: return json::object{{c.word(), any_instance(c, depth - 1)}};
        default: return json::object{{"a", any_instance(c, depth - 1)}, {"b", any_instance(c, depth - 1)}};
    }
}

json::value any_schema(Cases& c, int depth) {
    constexpr const char* types[] = {"null", "boolean", "integer", "number", "string", "array", "object"};
    if (depth == 0)
        return c.one_in(4) ? json::value(c.one_in(2)) : json::value(json::object{{"type", types[c.below(7)]}});
    const auto inner = [&] { return any_schema(c, depth - 1); };
    json::object out;
    for (std::size_t keywords = 1 + c.below(3); keywords > 0; --keywords) switch (c.below(26)) {
            case 0: out["type"] = types[c.below(7)]; break;
            case 1: out["type"] = json::array{types[c.below(4)], "string"}; break;
            case 2: out["const"] = any_instance(c, 1); break;
            case 3: out["enum"] = json::array{any_instance(c, 1), any_instance(c, 2)}; break;
            case 4: out["minimum"] = static_cast<std::int64_t>(c.below(4)); break;
            case 5: out["exclusiveMaximum"] = static_cast<double>(c.below(12)) / 4; break;
            case 6: out["multipleOf"] = c.one_in(2) ? 0.5 : 2.0; break;
            case 7: out["maxLength"] = c.below(3); break;
            case 8: out["minLength"] = c.below(3); break;
            case 9: out["pattern"] = c.one_in(2) ? "^a" : "[b-z]$"; break;
            case 10: out["items"] = inner(); break;
            case 11: out["prefixItems"] = json::array{inner(), inner()}; break;
            case 12: out["contains"] = inner(), out["minContains"] = c.below(2); break;
            case 13: out["uniqueItems"] = true; break;
            case 14: out["maxItems"] = c.below(3); break;
            case 15: out["properties"] = json::object{{"a", inner()}, {c.word(), inner()}}; break;
            case 16: out["required"] = json::array{json::value(std::string_view(c.word()))}; break;
            case 17: out["additionalProperties"] = inner(); break;
            case 18: out["patternProperties"] = json::object{{"^a", inner()}}; break;
            case 19: out["propertyNames"] = inner(); break;
            case 20: out["anyOf"] = json::array{inner(), inner()}; break;
            case 21: out["oneOf"] = json::array{inner(), inner()}; break;
            case 22: out["not"] = inner(); break;
            case 23: out["if"] = inner(), out["then"] = inner(), out["else"] = inner(); break;
            case 24: out["unevaluatedProperties"] = inner(); break;
            default: out["dependentSchemas"] = json::object{{"a", inner()}}; break;
        }
    return out;
}

}  // namespace

void schema_cases(std::uint64_t seed, std::size_t count) {
    Cases cases(seed, {"a"}, {"a", "b", "ab", "", "abc", "é", "😀x"});
    for (; count > 0; --count) {
        const json::value source = any_schema(cases, 3), instance = any_instance(cases, 2);
        const auto compiled = schema::Schema::compile(source);
        const std::string verdict = !compiled                     ? refused(compiled.error())
                                    : compiled->accepts(instance) ? "+yes"
                                                                  : "+no";
        write_case({json::write(source), json::write(instance), verdict});
    }
}

}  // namespace tenon::differential
