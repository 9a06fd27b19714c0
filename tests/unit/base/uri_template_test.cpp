#include "base/uri_template.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/utf8.hpp"

namespace tenon::base {
namespace {

using List = UriTemplate::List;
using Map = UriTemplate::Map;
using Variables = UriTemplate::Variables;

UriTemplate parsed(std::string_view text) {
    std::string why;
    auto t = UriTemplate::parse(text, &why);
    EXPECT_TRUE(t) << text << ": " << why;
    return std::move(t).value();
}

std::optional<Variables> match(std::string_view text, std::string_view uri) { return parsed(text).match(uri); }

TEST(UriTemplate, parse_errors_name_the_reason_and_position) {
    std::string why;
    EXPECT_FALSE(UriTemplate::parse("a/{b", &why));
    EXPECT_EQ(why, "expected \",\" or \"}\" after a variable (at byte 4)");
    for (const char* text :
         {"{",   "}",    "{}",   "{a",    "a}", "{{a}}", "{a,}", "{,a}", "{a:0}", "{a:10000}", "{a*:1}", "{a:1*}",
          "{.}", "{a.}", "{=a}", "{a b}", "%",  "%2",    "a b",  "a\"b", "a\\b",  "a<b",       "\xFF"}) {
        why.clear();
        EXPECT_FALSE(UriTemplate::parse(text, &why)) << text;
        EXPECT_FALSE(why.empty()) << text;
    }
}

TEST(UriTemplate, length_and_number_of_parts_are_limited) {
    EXPECT_FALSE(UriTemplate::parse(std::string(UriTemplate::max_template_length + 1, 'a')));
    std::string many;
    for (std::size_t i = 0; i < UriTemplate::max_parts; ++i) many += "{a}";
    EXPECT_TRUE(UriTemplate::parse(many));
    EXPECT_FALSE(UriTemplate::parse(many + "{a}"));
}

TEST(UriTemplate, lists_each_variable_once_in_order) {
    EXPECT_EQ(parsed("/{b}/{a,c}{?b,d*,e:3}").variables(), (std::vector<std::string>{"b", "a", "c", "d", "e"}));
    EXPECT_TRUE(parsed("/plain").variables().empty());
}

TEST(UriTemplateExpand, percent_encodes_values) {
    EXPECT_EQ(parsed("db://{table}/{id}").expand({{"table", "a/../b"}, {"id", "{x}"}}), "db://a%2F..%2Fb/%7Bx%7D");
    EXPECT_EQ(parsed("{+a}").expand({{"a", "%41 %"}}), "%41%20%25");
    EXPECT_EQ(parsed("caf\xC3\xA9/{a:2}").expand({{"a", "\xC3\xA9\xC3\xA9\xC3\xA9"}}), "caf%C3%A9/%C3%A9%C3%A9");
}

TEST(UriTemplateExpand, refuses_a_prefix_of_a_list_or_a_map) {
    EXPECT_FALSE(parsed("{a:3}").expand({{"a", List{"x"}}}));
    EXPECT_FALSE(parsed("{?a:3}").expand({{"a", Map{{"x", "y"}}}}));
    EXPECT_EQ(parsed("{a:3}").expand({}), "");
}

TEST(UriTemplateMatch, a_simple_variable_takes_one_segment) {
    EXPECT_EQ(match("file:///{name}", "file:///a%20b.txt"), (Variables{{"name", "a b.txt"}}));
    EXPECT_FALSE(match("file:///{name}", "file:///"));
    EXPECT_FALSE(match("file:///{name}", "file:///a/b"));
    EXPECT_FALSE(match("file:///{name}", "file:///a?b"));
    EXPECT_FALSE(match("file:///{name}", "file:///a%2"));
    EXPECT_FALSE(match("file:///{name}", "http:///a"));
    EXPECT_FALSE(match("file:///{name}", ""));
}

TEST(UriTemplateMatch, finds_the_match_that_a_greedy_search_would_miss) {
    EXPECT_EQ(match("{a}.json", "x.json.json"), (Variables{{"a", "x.json"}}));
    EXPECT_EQ(match("{a}-{b}", "x-y-z"), (Variables{{"a", "x-y"}, {"b", "z"}}));
    EXPECT_EQ(match("{a}{b}{c}", "wxyz"), (Variables{{"a", "wx"}, {"b", "y"}, {"c", "z"}}));
    EXPECT_FALSE(match("{a}{b}{c}", "xy"));
    EXPECT_EQ(match("{+path}/{name}", "a/b/c"), (Variables{{"path", "a/b"}, {"name", "c"}}));
    EXPECT_EQ(match("{x,y}", "1024,768"), (Variables{{"x", "1024"}, {"y", "768"}}));
}

TEST(UriTemplateMatch, an_expression_with_a_leading_character_may_be_missing) {
    EXPECT_EQ(match("x{/a,b}", "x/1/2"), (Variables{{"a", "1"}, {"b", "2"}}));
    EXPECT_EQ(match("x{/a,b}", "x/1"), (Variables{{"a", "1"}}));
    EXPECT_EQ(match("x{/a,b}", "x"), Variables{});
    EXPECT_EQ(match("x{/a}", "x/"), (Variables{{"a", ""}}));
    EXPECT_EQ(match("x{.ext}", "x.tar"), (Variables{{"ext", "tar"}}));
    EXPECT_FALSE(match("x{.ext}", "x.tar.gz"));
    EXPECT_EQ(match("x{#f}", "x#a/b?c"), (Variables{{"f", "a/b?c"}}));
    EXPECT_EQ(match("{/a}/b", "/b"), Variables{});
    EXPECT_EQ(match("{/a}/b", "/b/b"), (Variables{{"a", "b"}}));
}

TEST(UriTemplateMatch, an_exploded_variable_is_a_list) {
    EXPECT_EQ(match("file://{/path*}", "file:///a/b%20c/d"), (Variables{{"path", List{"a", "b c", "d"}}}));
    EXPECT_EQ(match("file://{/path*}", "file:///a//"), (Variables{{"path", List{"a", "", ""}}}));
    EXPECT_EQ(match("x{.l*}", "x.a.b"), (Variables{{"l", List{"a", "b"}}}));
    EXPECT_EQ(match("{l*}", "a,b"), (Variables{{"l", List{"a", "b"}}}));
    EXPECT_EQ(match("{+l*}", "x/a,x/b"), (Variables{{"l", List{"x/a", "x/b"}}}));
    EXPECT_EQ(match("{/path*}/end", "/a/end/end"), (Variables{{"path", List{"a", "end"}}}));
}

TEST(UriTemplateMatch, query_parameters_come_in_any_order) {
    EXPECT_EQ(match("/s{?q,r}", "/s?r=2&q=a%20b"), (Variables{{"q", "a b"}, {"r", "2"}}));
    EXPECT_EQ(match("/s{?q,r}", "/s?q="), (Variables{{"q", ""}}));
    EXPECT_EQ(match("/s{?q,r}", "/s"), Variables{});
    EXPECT_EQ(match("/s{?q}{&r}", "/s?r=2&q=1"), (Variables{{"q", "1"}, {"r", "2"}}));
    EXPECT_EQ(match("/s?fixed=1{&r}", "/s?fixed=1&r=2"), (Variables{{"r", "2"}}));
    EXPECT_EQ(match("/s{?q}{#f}", "/s?q=1#top"), (Variables{{"q", "1"}, {"f", "top"}}));
    for (const char* uri : {"/s?x=1", "/s?q=1&q=2", "/s?", "/s?q=1&", "/s?=1", "/s?q=%FF", "/s?q=1&&r=2"})
        EXPECT_FALSE(match("/s{?q,r}", uri)) << uri;
}

TEST(UriTemplateMatch, an_exploded_query_is_a_list_or_a_map) {
    EXPECT_EQ(match("/s{?l*}", "/s?l=1&l=2"), (Variables{{"l", List{"1", "2"}}}));
    EXPECT_EQ(match("/s{?m*}", "/s?b=1&a%20=2"), (Variables{{"m", Map{{"b", "1"}, {"a ", "2"}}}}));
    EXPECT_EQ(match("/s{?q,m*}", "/s?%71=2"), (Variables{{"q", "2"}}));
    EXPECT_EQ(match("/s{?q,m*}", "/s?b=1&q=2"), (Variables{{"q", "2"}, {"m", Map{{"b", "1"}}}}));
}

TEST(UriTemplateMatch, path_parameters_come_in_any_order) {
    EXPECT_EQ(match("/s{;x,y}/t", "/s;y=2;x/t"), (Variables{{"x", ""}, {"y", "2"}}));
    EXPECT_FALSE(match("/s{;x,y}/t", "/s;z=2/t"));
}

TEST(UriTemplateMatch, values_of_one_variable_must_agree) {
    EXPECT_EQ(match("{a}/{a}", "x/x"), (Variables{{"a", "x"}}));
    EXPECT_FALSE(match("{a}/{a}", "x/y"));
    EXPECT_EQ(match("{a:1}/{a}", "x/xyz"), (Variables{{"a", "xyz"}}));
    EXPECT_EQ(match("{a}/{a:1}", "xyz/x"), (Variables{{"a", "xyz"}}));
    EXPECT_FALSE(match("{a:1}/{a}", "x/yz"));
    EXPECT_FALSE(match("{a:1}", "xy"));
    EXPECT_EQ(match("{a:1}", "%C3%A9"), (Variables{{"a", "\xC3\xA9"}}));
}

TEST(UriTemplateMatch, refuses_values_that_are_not_utf8) {
    EXPECT_FALSE(match("{a}", "%FF"));
    EXPECT_FALSE(match("{/a*}", "/x/%ED%A0%80"));
}

TEST(UriTemplateMatch, matching_inverts_expansion) {
    const auto value =
        rc::gen::suchThat(rc::gen::nonEmpty<std::string>(), [](const std::string& s) { return is_utf8(s); });
    const auto ascii = rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127)));
    EXPECT_TRUE(rc::check("match(expand(vars)) == vars", [&] {
        const auto separators = *rc::gen::container<std::vector<std::string>>(
            rc::gen::elementOf(std::vector<std::string>{"/", "://", "/x/", ":", "?q=", "&r=", "%20/", "\xC3\xA9"}));
        std::string text = "s:";
        Variables variables;
        for (std::size_t i = 0; i < std::min<std::size_t>(separators.size(), 20); ++i) {
            const std::string name = "v" + std::to_string(i);
            text += separators[i] + "{" + name + "}";
            // When the separator could be part of a value, another match can also be right.
            const bool is_ambiguous = separators[i][0] == '%' || separators[i][0] == '\xC3';
            variables[name] = is_ambiguous ? std::string("v") : *rc::gen::oneOf(value, ascii);
            if (is_ambiguous && i > 0) variables["v" + std::to_string(i - 1)] = std::string("w");
        }
        const UriTemplate t = parsed(text);
        const auto uri = t.expand(variables);
        RC_ASSERT(uri.has_value());
        RC_ASSERT(t.match(*uri, UriTemplate::Values::raw) == variables);
    }));
}

TEST(UriTemplateMatch, matched_values_expand_to_the_same_uri) {
    EXPECT_TRUE(rc::check("expand(match(uri)) == uri", [] {
        const auto text = *rc::gen::elementOf(
            std::vector<std::string>{"{a}{b}", "{a}/{b}", "{/p*}", "x{/a,b}{.c}", "{+a}/{b}", "{a}a{b}"});
        const auto uri = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("aab//.x")));
        const UriTemplate t = parsed(text);
        if (const auto variables = t.match(uri, UriTemplate::Values::raw)) RC_ASSERT(t.expand(*variables) == uri);
    }));
}

bool matches(const std::string& text, const std::string& uri) { return parsed(text).match(uri).has_value(); }

TEST(UriTemplateMatch, hostile_input_takes_linear_time) {
    std::string many, separated, exploded;
    for (int i = 0; i < 50; ++i) {
        many += "{v" + std::to_string(i) + "}";
        separated += "{+v" + std::to_string(i) + "}a";
        exploded += "{/v" + std::to_string(i) + "*}";
    }
    const std::string longest(UriTemplate::max_uri_length - 1, 'a');
    const std::string slashes(UriTemplate::max_uri_length - 1, '/');
    // A backtracking search would take years, and the time limit of ctest would end the test.
    for (const auto& [text, uri] : std::vector<std::pair<std::string, std::string>>{{many + "/", longest + "/"},
                                                                                    {many, longest + "!"},
                                                                                    {separated, longest + "!"},
                                                                                    {exploded, slashes},
                                                                                    {exploded + "!", slashes}})
        (void)matches(text, uri);
    EXPECT_FALSE(matches(many, std::string(1 << 20, 'a'))) << "a URI that is too long";
}

std::size_t work_to_match(const std::string& text, const std::string& uri) {
    std::size_t work = 0;
    (void)parsed(text).match(uri, UriTemplate::Values::safe, &work);
    return work;
}

TEST(UriTemplateMatch, work_is_linear_in_the_length_of_the_uri) {
    std::string many, separated, exploded;
    for (int i = 0; i < 50; ++i) {
        many += "{v" + std::to_string(i) + "}";
        separated += "{+v" + std::to_string(i) + "}a";
        exploded += "{/v" + std::to_string(i) + "*}";
    }
    for (const std::size_t size : {1'000U, 8'000U, 64'000U}) {
        const std::string letters(size, 'a'), slashes(size, '/');
        for (const auto& [text, uri, parts] :
             {std::tuple("note://{id}", "note://" + letters, 2U), std::tuple("{+a}/{b}", letters + "/" + letters, 3U),
              std::tuple(many.c_str(), letters + "!", 50U), std::tuple(separated.c_str(), letters, 100U),
              std::tuple(exploded.c_str(), slashes, 50U), std::tuple("x{?a*}", "x?a=" + letters, 2U)}) {
            if (uri.size() > UriTemplate::max_uri_length) continue;
            EXPECT_GT(work_to_match(text, uri), uri.size()) << text;
            EXPECT_LE(work_to_match(text, uri), 4 * parts * (uri.size() + 1)) << text << " at " << size;
        }
    }
}

TEST(UriTemplateMatch, a_uri_without_the_templates_literals_costs_no_work) {
    const std::string letters(60'000, 'a');
    EXPECT_EQ(work_to_match("note://{id}", "file://" + letters), 0U);
    EXPECT_EQ(work_to_match("note://{id}.txt", "note://" + letters), 0U);
    EXPECT_EQ(work_to_match("note://{kind}/days/{id}", "note://" + letters + "/weeks/1"), 0U);
    EXPECT_EQ(work_to_match("note://{kind}/x/{id}/y/{n}", "note://" + letters + "/y/1/x/2"), 0U);
    EXPECT_EQ(work_to_match("note://{id}", "note://" + letters + letters), 0U) << "a URI over the limit costs no work";
    EXPECT_GT(work_to_match("note://{kind}/days/{id}", "note://" + letters + "/days/1"), 0U);
}

TEST(UriTemplateMatch, a_uri_over_the_limit_matches_nothing) {
    EXPECT_TRUE(match("{a}", std::string(UriTemplate::max_uri_length, 'a')));
    EXPECT_FALSE(match("{a}", std::string(UriTemplate::max_uri_length + 1, 'a')));
}

}  // namespace
}  // namespace tenon::base
