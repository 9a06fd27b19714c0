#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/typed/sample_types.hpp"

namespace tenon {
namespace {

using namespace sample;
using namespace std::literals;

template <class T>
std::string written(const T& v) {
    std::string bytes;
    json::Writer out(bytes);
    write_json(out, v);
    EXPECT_EQ(json::write(to_json(v)), bytes);
    return bytes;
}

/// Returns the JSON of the value that from_json reads, or the error message.
template <class T>
std::string read(std::string_view text, std::string_view path = "") {
    const auto r = from_json<T>(json::parse(text).value(), path);
    if (r) return written(*r);
    EXPECT_EQ(r.error().code, code::invalid_params);
    return r.error().message;
}

TEST(ToJson, writes_each_type) {
    EXPECT_EQ(written(Forecast{"Oslo", 21.5, {}}), R"({"city":"Oslo","celsius":21.5})");
    EXPECT_EQ(written(Forecast{"Oslo", 21.5, Sky::rain}), R"({"city":"Oslo","celsius":21.5,"sky":"rain"})");
    EXPECT_EQ(written(std::vector<std::optional<int>>{1, std::nullopt}), "[1,null]");
    EXPECT_EQ(written(std::tuple(1, "a"sv, true)), R"([1,"a",true])");
    EXPECT_EQ(written(std::map<std::string, int>{{"a", 1}, {"b", 2}}), R"({"a":1,"b":2})");
    EXPECT_EQ(written(std::vector<std::vector<int>>{{1}, {}, {2, 3}}), "[[1],[],[2,3]]");
    EXPECT_EQ(written(std::variant<int, std::string>("x")), R"("x")");
    EXPECT_EQ(written(json::value{{"a", 1}}), R"({"a":1})");
    EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
}

TEST(ToJson, writes_null_for_values_without_a_json_form) {
    EXPECT_EQ(written(std::nan("")), "null");
    EXPECT_EQ(written(static_cast<Sky>(7)), "null");
    EXPECT_EQ(written(std::chrono::year(2023) / 2 / 29), "null");
    EXPECT_EQ(written(std::chrono::sys_seconds(253402300800s)), "null");
}

TEST(ToJson, replaces_invalid_utf8) { EXPECT_EQ(written(std::string("a\xFFz")), "\"a\xEF\xBF\xBDz\""); }

TEST(ToJson, writes_dates_as_rfc_3339) {
    EXPECT_EQ(written(std::chrono::year(45) / 3 / 9), R"("0045-03-09")");
    EXPECT_EQ(written(std::chrono::sys_seconds(0s)), R"("1970-01-01T00:00:00Z")");
    EXPECT_EQ(written(std::chrono::sys_time<std::chrono::milliseconds>(-1ms)), R"("1969-12-31T23:59:59.999Z")");
    EXPECT_EQ(written(std::chrono::sys_time<std::chrono::nanoseconds>(1ns)), R"("1970-01-01T00:00:00.000000001Z")");
}

TEST(FromJson, errors_name_the_expected_type_the_path_and_the_found_value) {
    EXPECT_EQ(read<int>("\"1\""), "expected an integer, got a string");
    EXPECT_EQ(read<int>("1", "x"), "1");
    EXPECT_EQ(read<int>("true", "arguments.days"), "expected an integer at `arguments.days`, got a boolean");
    EXPECT_EQ(read<int>("3.5", "x"), "expected an integer at `x`, got 3.5");
    EXPECT_EQ(read<bool>("0"), "expected a boolean, got an integer");
    EXPECT_EQ(read<std::string>("null"), "expected a string, got null");
    EXPECT_EQ(read<double>("[]"), "expected a number, got an array");
    EXPECT_EQ(read<float>("1e300"), "expected a number within a float's range, got 1e+300");
    EXPECT_EQ(read<Sky>("1", "sky"), "expected a string at `sky`, got an integer");
    EXPECT_EQ(read<Sky>("\"blue\"", "sky"), R"(expected one of "clear", "cloudy", "rain" at `sky`, got "blue")");
    EXPECT_EQ(read<Box>("[]"), "expected an object, got an array");
    EXPECT_EQ(read<Box>(R"({"width":1})"), "`height` is required");
    EXPECT_EQ(read<std::monostate>("1"), "expected null, got an integer");
    EXPECT_EQ((read<std::array<int, 2>>("[1]")), "expected an array of 2, got an array of 1");
    EXPECT_EQ((read<std::pair<int, int>>("{}")), "expected an array of 2, got an object");
    EXPECT_EQ(read<std::set<int>>("[1,2,1]", "s"), "`s[2]` is repeated");
}

TEST(FromJson, error_paths_contain_members_and_elements) {
    EXPECT_EQ(read<Rich>(R"({"flag":true,"text":"","limits":{"i8":"x"}})"),
              "expected an integer at `limits.i8`, got a string");
    EXPECT_EQ(
        (read<std::map<std::string, std::vector<Box>>>(R"({"a":[{"width":1,"height":2},{"width":"w"}]})", "result")),
        "expected a number at `result.a[1].width`, got a string");
    EXPECT_EQ((read<std::tuple<int, std::vector<int>>>("[1,[2,{}]]")),
              "expected an integer at `[1][1]`, got an object");
}

TEST(FromJson, integers_may_have_a_fraction_of_zero_but_must_fit) {
    EXPECT_EQ(read<int>("3.0"), "3");
    EXPECT_EQ(read<int>("1e3"), "1000");
    EXPECT_EQ(read<std::int8_t>("128", "x"), "`x` must be between -128 and 127, got 128");
    EXPECT_EQ(read<std::uint8_t>("-1"), "the number must be between 0 and 255, got -1");
    EXPECT_EQ(read<std::uint64_t>("18446744073709551615"), "18446744073709551615");
    EXPECT_EQ(read<std::int64_t>("-9223372036854775808"), "-9223372036854775808");
    EXPECT_EQ(read<std::int64_t>("9223372036854775808"),
              "the number must be between -9223372036854775808 and 9223372036854775807, got 9223372036854775808");
    EXPECT_EQ(read<std::uint64_t>("18446744073709551616"),
              "the number must be between 0 and 18446744073709551615, got 18446744073709551616");
    EXPECT_EQ(read<std::int64_t>("1e300"),
              "the number must be between -9223372036854775808 and 9223372036854775807, got 1e+300");
}

TEST(FromJson, a_missing_member_takes_its_default) {
    EXPECT_EQ(read<Forecast>(R"({"city":"Oslo"})"), R"({"city":"Oslo","celsius":20})");
}

TEST(FromJson, null_is_an_absent_optional) {
    EXPECT_EQ(from_json<Forecast>(json::parse(R"({"city":"a","sky":null})").value()).value().sky, std::nullopt);
    EXPECT_EQ(read<Node>(R"({"name":"a","next":null})"), R"({"name":"a"})");
    EXPECT_EQ(read<Node>(R"({"name":"a","next":{"name":"b"}})"), R"({"name":"a","next":{"name":"b"}})");
}

TEST(FromJson, unknown_members_are_ignored) {
    EXPECT_EQ(read<Box>(R"({"width":1,"depth":3,"height":2})"), R"({"width":1,"height":2})");
}

using Figure = std::variant<Circle, Box>;

TEST(FromJson, a_variant_takes_the_best_matching_alternative) {
    EXPECT_TRUE(
        std::holds_alternative<Box>(from_json<Figure>(json::parse(R"({"width":1,"height":2})").value()).value()));
    // Both alternatives match when unknown members are ignored, but only one has these members.
    using Loose = std::variant<Node, Circle>;
    EXPECT_EQ(from_json<Loose>(json::parse(R"({"name":"a","radius":1})").value()).value().index(), 0u);
    EXPECT_EQ(from_json<Loose>(json::parse(R"({"label":"a","radius":1})").value()).value().index(), 1u);
}

TEST(FromJson, errors_of_variants_describe_the_alternative_of_the_same_kind) {
    EXPECT_EQ((read<std::variant<int, std::string>>("[]", "x")),
              "expected an integer or a string at `x`, got an array");
    EXPECT_EQ((read<std::variant<int, Box>>(R"({"width":1})", "x")), "`x.height` is required");
}

struct Left;
struct Right;
using Branch = std::variant<Left, Right>;
struct Left {
    std::vector<Branch> children;
    int left = 0;
};
struct Right {
    std::vector<Branch> children;
    int right = 0;
};
BOOST_DESCRIBE_STRUCT(Left, (), (children, left))
BOOST_DESCRIBE_STRUCT(Right, (), (children, right))

TEST(FromJson, nested_variants_cost_bounded_time) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += R"({"children":[)";
    for (int i = 0; i < 60; ++i) text += "]}";
    EXPECT_EQ(from_json<Branch>(json::parse(text).value()).error().message.find("too many alternatives to try"), 0u);
}

TEST(FromJson, dates_and_times_are_read_as_rfc_3339) {
    using std::chrono::sys_seconds;
    using std::chrono::year_month_day;
    EXPECT_EQ(read<year_month_day>(R"("2024-02-29")"), R"("2024-02-29")");
    for (const char* bad :
         {"2023-02-29", "2024-2-29", "2024-02-29x", "2024-13-01", "20240229", "", "2024-00-01", "+024-01-01"})
        EXPECT_FALSE(from_json<year_month_day>(json::value(bad))) << bad;
    EXPECT_EQ(read<year_month_day>(R"("tomorrow")", "day"), R"(expected a date (2026-07-28) at `day`, got "tomorrow")");
    EXPECT_EQ(read<sys_seconds>(R"("2026-07-28T12:00:00+02:00")"), R"("2026-07-28T10:00:00Z")");
    EXPECT_EQ(read<sys_seconds>(R"("2026-07-28t12:00:00.999z")"), R"("2026-07-28T12:00:00Z")");
    EXPECT_EQ(read<sys_seconds>(R"("2016-12-31T23:59:60Z")"), R"("2017-01-01T00:00:00Z")");
    EXPECT_EQ(read<std::chrono::sys_time<std::chrono::milliseconds>>(R"("2026-07-28T12:00:00.12Z")"),
              R"("2026-07-28T12:00:00.120Z")");
    for (const char* bad :
         {"2026-07-28", "2026-07-28T12:00:00", "2026-07-28 12:00:00Z", "2026-07-28T24:00:00Z", "2026-07-28T12:60:00Z",
          "2026-07-28T12:00:60Z", "2026-07-28T12:00:00.Z", "2026-07-28T12:00:00+24:00", "2026-07-28T12:00:00Zz",
          "2026-07-28T12:00:00+0200", "2026-06-31T12:00:00Z"})
        EXPECT_FALSE(from_json<sys_seconds>(json::value(bad))) << bad;
    EXPECT_FALSE(from_json<std::chrono::sys_time<std::chrono::nanoseconds>>(json::value("9999-01-01T00:00:00Z")));
}

}  // namespace
}  // namespace tenon
