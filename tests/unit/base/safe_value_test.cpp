// rules: RES-9
#include "base/safe_value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/uri.hpp"
#include "base/uri_encode.hpp"

namespace tenon::base {
namespace {

using List = UriTemplate::List;
using Map = UriTemplate::Map;
using Values = UriTemplate::Values;
using Variables = UriTemplate::Variables;

std::optional<Variables> match(std::string_view text, std::string_view uri, Values allowed = Values::safe) {
    return UriTemplate::parse(text).value().match(uri, allowed);
}

constexpr std::string_view name_operators("\0./", 3);
constexpr std::string_view path_operators = "+#;?&";
const std::string nul("a\0b", 3);

TEST(SafeValue, a_name_has_no_separator_in_any_spelling) {
    for (const char op : name_operators) {
        for (const char* value : {"/etc/passwd", "a/b", "a\\b", "\\", "/", ".", "..", "%2F", "%2fetc", "a%5Cb", "%5c",
                                  "%00", "%2e%2E", ".%2e", "100%%2F"})
            EXPECT_FALSE(is_safe_value(op, value)) << op << value;
        EXPECT_FALSE(is_safe_value(op, nul)) << op;
        for (const char* value : {"", "a", "...", "..a", "a..", ".hidden", "a b", "100%", "%zz", "u:1", "\xC3\xA9"})
            EXPECT_TRUE(is_safe_value(op, value)) << op << value;
    }
}

TEST(SafeValue, a_path_is_relative_and_has_no_parent_segment) {
    for (const char op : path_operators) {
        for (const char* value :
             {"/",       "/etc/passwd", "//etc/passwd", "\\",       "\\\\host\\share", "C:",     "c:\\boot.ini",
              "Z:/x",    "..",          "../a",         "a/..",     "a/../b",          "..\\a",  "a\\..\\b",
              "a/..\\b", "a//..",       "%2Fetc",       "%2e%2e/a", "a%2F..%2Fb",      "%43:/x", "..%2f",
              "%5Cetc",  "a%00",        "100%/%2e%2e/"})
            EXPECT_FALSE(is_safe_value(op, value)) << op << value;
        EXPECT_FALSE(is_safe_value(op, nul)) << op;
        for (const char* value : {"", "a", "a/b/c", "a//b", "a/", "./a", "...", "a/..b/c..", "a\\b", "12:30", "100%",
                                  "https://example.com", "what is this?", "\xC3\xA9/x"})
            EXPECT_TRUE(is_safe_value(op, value)) << op << value;
    }
}

TEST(SafeValue, every_list_item_map_key_and_map_value_is_checked) {
    EXPECT_TRUE(is_safe_value('/', List{"a", "b", ""}));
    EXPECT_TRUE(is_safe_value('/', List{""}));
    EXPECT_FALSE(is_safe_value('/', List{"a", "..", "b"}));
    EXPECT_FALSE(is_safe_value('/', List{"", "etc", "passwd"})) << "the joined list is /etc/passwd";
    EXPECT_TRUE(is_safe_value('?', List{"", "a/b"}));
    EXPECT_FALSE(is_safe_value('+', List{"a", "/b"}));
    EXPECT_TRUE(is_safe_value('?', Map{{"a", "b/c"}}));
    EXPECT_FALSE(is_safe_value('?', Map{{"../a", "b"}}));
    EXPECT_FALSE(is_safe_value('?', Map{{"a", "/b"}}));
}

TEST(UriTemplateMatch, a_simple_variable_never_has_a_separator) {
    for (const char* uri : {"files://docs/%2Fetc%2Fpasswd", "files://docs/%2fetc", "files://docs/a%2Fb",
                            "files://docs/a%5Cb", "files://docs/a%5cb", "files://docs/a%00", "files://docs/%252Fetc",
                            "files://docs/%255Cetc", "files://docs/%2500", "files://docs/%2e%2E"})
        EXPECT_FALSE(match("files://docs/{name}", uri)) << uri;
    EXPECT_EQ(match("files://docs/{name}", "files://docs/a%20b.txt"), (Variables{{"name", "a b.txt"}}));
}

TEST(UriTemplateMatch, a_variable_with_an_operator_never_leaves_its_root) {
    const std::pair<const char*, const char*> refused[] = {
        {"f://d/{+path}", "f://d//etc/passwd"},
        {"f://d/{+path}", "f://d/%2Fetc/passwd"},
        {"f://d/{+path}", "f://d/%5Cetc"},
        {"f://d/{+path}", "f://d/C:/x"},
        {"f://d/{+path}", "f://d/c%3A%5Cx"},
        {"f://d/{+path}", "f://d/a/%2e%2e/b"},
        {"f://d/{+path}", "f://d/a?/../b"},
        {"f://d/{+path:4}", "f://d//etc"},
        {"f://d/{+list*}", "f://d/a,/b"},
        {"f://d{#path}", "f://d#/etc/passwd"},
        {"f://d{#path}", "f://d#../x"},
        {"f://d{?path}", "f://d?path=/etc/passwd"},
        {"f://d{?path}", "f://d?path=%2Fetc%2Fpasswd"},
        {"f://d{?path}", "f://d?path=a/../../b"},
        {"f://d{?path}", "f://d?path=..%5Cb"},
        {"f://d{?path}", "f://d?path=%2500"},
        {"f://d{?path*}", "f://d?path=a&path=/b"},
        {"f://d{?all*}", "f://d?x=/b"},
        {"f://d{?a}{&path}", "f://d?a=1&path=/etc"},
        {"f://d?fixed=1{&path}", "f://d?fixed=1&path=../x"},
        {"f://d/x{;path}", "f://d/x;path=%2Fetc"},
        {"f://d/x{.ext}", "f://d/x.a%2Fb"},
        {"f://d/x{.ext}", "f://d/x.%2E%2E"},
        {"f://d{/name}", "f://d/a%2Fb"},
        {"f://d{/path*}", "f://d/a/%2e%2e/b"},
        {"f://d{/path*}", "f://d/a/b%2Fc"},
        {"f://d{/path*}", "f://d//etc/passwd"},
    };
    for (const auto& [text, uri] : refused) {
        EXPECT_FALSE(match(text, uri)) << text << " " << uri;
        EXPECT_TRUE(match(text, uri, Values::raw)) << text << " " << uri;
    }
    EXPECT_EQ(match("f://d/{+path}", "f://d/a/b%20c.txt"), (Variables{{"path", "a/b c.txt"}}));
    EXPECT_EQ(match("f://d{?path}", "f://d?path=a/b"), (Variables{{"path", "a/b"}}));
}

// Splits a path as POSIX and Windows do, and resolves it. A second, simpler definition of "stays beneath".
bool stays_beneath(std::string_view value) {
    if (value.starts_with('/') || value.starts_with('\\') || value.find('\0') != value.npos) return false;
    int depth = 0;
    for (;;) {
        const std::size_t end = value.find_first_of("/\\");
        const std::string_view segment = value.substr(0, end);
        depth += segment == ".." ? -1 : segment.empty() || segment == "." ? 0 : 1;
        if (depth < 0) return false;
        if (end == value.npos) return true;
        value.remove_prefix(end + 1);
    }
}

TEST(UriTemplateMatch, no_uri_gives_a_value_that_leaves_its_folder) {
    EXPECT_TRUE(rc::check("values stay beneath", [] {
        const auto text = *rc::gen::elementOf(std::vector<std::string>{
            "s:{a}", "s:{+a}", "s:{#a}", "s:{/a}", "s:{.a}", "s:{;a}", "s:{?a}", "s:x?y{&a}", "s:{a*}", "s:{+a*}"});
        const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
            "a", ".", "..", "/", "%2F", "%2e", "%5C", "%00", "%25", "2F", "5c", "C:", "%3A", "%252e", ",", "#", "="}));
        std::string uri = text.substr(0, text.find('{'));
        if (text[uri.size() + 1] != 'a' && text[uri.size() + 1] != '+') uri += text[uri.size() + 1];
        if (std::string_view(";?&").find(uri.back()) != std::string_view::npos) uri += "a=";
        for (const std::string& piece : pieces) uri += piece;
        const auto variables = match(text, uri);
        if (!variables) return;
        for (const auto& [name, value] : *variables) {
            const auto* one = std::get_if<std::string>(&value);
            for (const std::string& item : one ? List{*one} : std::get<List>(value)) {
                RC_ASSERT(stays_beneath(item));
                if (const auto again = percent_decode(item)) RC_ASSERT(stays_beneath(*again));
            }
        }
    }));
}

}  // namespace
}  // namespace tenon::base
