// accepts() allocates nothing when the instance is valid. This program replaces operator new to count allocations.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include <tenon/schema.hpp>

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace tenon::schema {
namespace {

void expect_no_allocation(const char* schema, const json::value& instance, const Options& options = {}) {
    const auto compiled = Schema::compile(json::parse(schema).value(), options).value();
    const std::size_t before = allocations;
    const bool valid = compiled.accepts(instance);
    EXPECT_EQ(allocations - before, 0u) << schema;
    EXPECT_TRUE(valid) << schema;
}

json::value parsed(const char* text) { return json::parse(text).value(); }

TEST(Allocations, the_allocation_counter_works) {
    const std::size_t before = allocations;
    const std::string text(1000, 'x');
    EXPECT_GT(allocations, before);
}

TEST(Allocations, validating_a_tool_call_allocates_nothing) {
    expect_no_allocation(
        R"({"type":"object","properties":{"city":{"type":"string","minLength":1,"maxLength":80},"country":{"pattern":"^[A-Z]{2}$"},
        "code":{"pattern":"(ab|cd)+x"},"days":{"type":"integer","minimum":1,"maximum":7,"multipleOf":1},"ratio":{"multipleOf":0.01,"exclusiveMaximum":2},
        "unit":{"enum":["celsius","kelvin",null]}},"required":["city"],"additionalProperties":false})",
        parsed(
            R"({"city":"Reykjavík, which is a long name","country":"IS","code":"ababcdx","days":3,"ratio":0.57,"unit":"kelvin"})"));
}

TEST(Allocations, logic_and_references_allocate_nothing) {
    expect_no_allocation(
        R"({"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{"kids":{"items":{"$ref":"#/$defs/tree"}}},
        "if":{"required":["a"]},"then":{"minProperties":1},"else":{"not":{"required":["b"]}},"oneOf":[{"required":["a"]},{"required":["kids"]}],
        "anyOf":[{"const":{"x":1}},true],"allOf":[{"dependentRequired":{"a":["c"]}},{"dependentSchemas":{"a":{"required":["c"]}}}]}}})",
        parsed(R"({"kids":[{"a":1,"c":2},{"kids":[]}]})"));
}

TEST(Allocations, validating_arrays_allocates_nothing) {
    expect_no_allocation(
        R"({"prefixItems":[true],"items":{"type":"integer"},"contains":{"const":5},"minContains":1,"maxContains":2,"uniqueItems":true})",
        parsed("[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]"));
}

TEST(Allocations, property_names_and_patterns_allocate_nothing) {
    expect_no_allocation(
        R"({"propertyNames":{"pattern":"^[a-z_]+$","maxLength":100},"patternProperties":{"^a_name":{"type":"integer"}},"additionalProperties":false})",
        parsed(R"({"a_name_that_is_longer_than_a_small_string":1})"));
}

TEST(Allocations, unevaluated_and_dynamic_scope_allocate_nothing) {
    expect_no_allocation(
        R"({"anyOf":[{"properties":{"a":true}},{"properties":{"b":{"const":2}}}],"if":{"properties":{"c":true}},"properties":{"d":{"unevaluatedItems":{"type":"integer"}}},
        "unevaluatedProperties":false})",
        parsed(R"({"a":1,"b":2,"c":1,"d":[1,2]})"));
    expect_no_allocation(
        R"({"$id":"http://x/root","$ref":"list","$defs":{"foo":{"$dynamicAnchor":"items","type":"string"},
        "list":{"$id":"list","type":"array","items":{"$dynamicRef":"#items"},"$defs":{"items":{"$dynamicAnchor":"items"}}}}})",
        parsed(R"(["a","b"])"));
}

TEST(Allocations, checking_formats_allocates_nothing) {
    Options options;
    options.assert_formats = true;
    for (const auto& [format, text] : {std::pair{"date-time", "2024-02-29T08:30:06.123Z"},
                                       {"uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380"},
                                       {"ipv6", "2001:db8:85a3::8a2e:370:7334"},
                                       {"uri", "https://example.com/a/long/path?with=query#fragment"},
                                       {"email", "somebody.with.a.long.name@example.com"},
                                       {"duration", "P1Y2M3DT4H5M6S"}})
        expect_no_allocation((R"({"format":")" + std::string(format) + R"("})").c_str(), json::value(text), options);
}

}  // namespace
}  // namespace tenon::schema
