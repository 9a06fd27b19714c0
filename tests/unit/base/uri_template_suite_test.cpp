// Runs the public RFC 6570 test suite. Skipped when the suite is not in the shared folder.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <sstream>

#include "base/uri_template.hpp"
#include "support/folders.hpp"

namespace tenon::base {
namespace {

namespace bj = boost::json;

std::string to_text(const bj::value& v) { return v.is_string() ? std::string(v.as_string()) : bj::serialize(v); }

UriTemplate::Value to_value(const bj::value& v) {
    if (const auto* array = v.if_array()) {
        UriTemplate::List list;
        for (const auto& item : *array) list.push_back(to_text(item));
        return list;
    }
    if (const auto* object = v.if_object()) {
        UriTemplate::Map map;
        for (const auto& member : *object) map.emplace_back(member.key(), to_text(member.value()));
        return map;
    }
    // Boost.JSON writes 37.76 as 3.776E1.
    if (v.is_double()) return (std::ostringstream() << v.get_double()).str();
    return to_text(v);
}

UriTemplate::Variables to_variables(const bj::object& object) {
    UriTemplate::Variables variables;
    for (const auto& member : object)
        if (!member.value().is_null()) variables.emplace(member.key(), to_value(member.value()));
    return variables;
}

// `expected` is the expansion, a list of allowed expansions, or false for a template that must fail.
void check(std::string_view text, const UriTemplate::Variables& variables, const bj::value& expected) {
    SCOPED_TRACE(text);
    const auto t = UriTemplate::parse(text);
    const auto uri = t ? t->expand(variables) : std::nullopt;
    if (expected.is_bool()) {
        EXPECT_FALSE(uri) << uri.value_or("");
        return;
    }
    ASSERT_TRUE(uri);
    if (const auto* choices = expected.if_array()) {
        EXPECT_NE(std::find(choices->begin(), choices->end(), bj::value(*uri)), choices->end()) << *uri;
    } else {
        EXPECT_EQ(*uri, expected.as_string());
    }
}

class UriTemplateSuite : public testing::TestWithParam<const char*> {};

TEST_P(UriTemplateSuite, passes_every_case_of_the_file) {
    std::ifstream file(test_folders::shared() + "/suites/uri-template/" + GetParam());
    if (!file) GTEST_SKIP() << "the RFC 6570 suite is not at " << test_folders::shared() << "/suites/uri-template";
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::size_t cases = 0;
    const bj::value suite = bj::parse(text);
    for (const auto& group : suite.as_object()) {
        SCOPED_TRACE(group.key());
        const auto variables = to_variables(group.value().at("variables").as_object());
        for (const auto& test : group.value().at("testcases").as_array()) {
            check(test.at(0).as_string(), variables, test.at(1));
            ++cases;
        }
    }
    EXPECT_GT(cases, 0U);
}

INSTANTIATE_TEST_SUITE_P(Files, UriTemplateSuite,
                         testing::Values("spec-examples.json", "spec-examples-by-section.json", "extended-tests.json",
                                         "negative-tests.json"),
                         [](const auto& file) {
                             std::string name = file.param;
                             for (char& c : name)
                                 if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                             return name;
                         });

}  // namespace
}  // namespace tenon::base
