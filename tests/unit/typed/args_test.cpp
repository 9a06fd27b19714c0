#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "unit/typed/sample_types.hpp"

namespace tenon {
namespace {

using sample::Sky;

json::value parsed(std::string_view text) { return json::parse(text).value(); }

auto forecast_args() {
    return args(arg<std::string>("city", "City name").max_length(80).pattern("^[A-Z]"),
                arg<int>("days", "Days ahead").min(1).max(7).def(1), arg<std::optional<Sky>>("sky", "Only these"));
}

TEST(Args, schema_has_one_property_per_argument_and_forbids_others) {
    EXPECT_EQ(json::value(forecast_args().schema()), parsed(R"({
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "City name", "maxLength": 80, "pattern": "^[A-Z]"},
            "days": {"type": "integer", "minimum": 1, "maximum": 7, "description": "Days ahead", "default": 1},
            "sky": {"type": "string", "enum": ["clear", "cloudy", "rain"], "description": "Only these"}
        },
        "required": ["city"],
        "additionalProperties": false
    })"));
    EXPECT_EQ(json::value(args().schema()),
              parsed(R"({"type":"object","properties":{},"additionalProperties":false})"));
}

TEST(Args, decode_applies_defaults) {
    const auto r = forecast_args().decode(parsed(R"({"city":"Oslo"})").as_object());
    ASSERT_TRUE(r) << r.error().message;
    EXPECT_EQ(*r, (std::tuple<std::string, int, std::optional<Sky>>("Oslo", 1, std::nullopt)));
    EXPECT_EQ(*forecast_args().decode(parsed(R"({"city":"Oslo","days":3.0,"sky":"rain"})").as_object()),
              (std::tuple<std::string, int, std::optional<Sky>>("Oslo", 3, Sky::rain)));
}

TEST(Args, decode_errors_name_the_argument) {
    const auto message = [](std::string_view text) {
        const auto r = forecast_args().decode(parsed(text).as_object());
        return r ? std::string("no error") : std::to_string(r.error().code) + ": " + r.error().message;
    };
    EXPECT_EQ(message(R"({"city":"Oslo","days":"3"})"),
              "-32602: expected an integer at `arguments.days`, got a string");
    EXPECT_EQ(message(R"({})"), "-32602: `arguments.city` is required");
    EXPECT_EQ(message(R"({"city":"Oslo","day":3})"), "-32602: `arguments.day` is unknown");
    EXPECT_EQ(message(R"({"city":"Oslo","sky":"blue"})"),
              R"(-32602: expected one of "clear", "cloudy", "rain" at `arguments.sky`, got "blue")");
}

TEST(Args, every_keyword_is_written) {
    const auto a =
        args(arg<std::string>("s", "").min_length(1).format("email").one_of({"a@b", "c@d"}).title("S").def("a@b"),
             arg<double>("d").min(0.5).max(1), arg<std::vector<Sky>>("v").min_items(1).max_items(2),
             arg<std::uint8_t>("u").min(-1).max(300), arg<Sky>("e").one_of({Sky::rain}));
    EXPECT_EQ(json::value(a.schema().at("properties")), parsed(R"({
        "s": {"type":"string","minLength":1,"format":"email","enum":["a@b","c@d"],"title":"S","default":"a@b"},
        "d": {"type":"number","minimum":0.5,"maximum":1},
        "v": {"type":"array","items":{"type":"string","enum":["clear","cloudy","rain"]},"minItems":1,"maxItems":2},
        "u": {"type":"integer","minimum":0,"maximum":255},
        "e": {"type":"string","enum":["rain"]}
    })"));
}

TEST(Args, recursive_types_are_defined_at_the_root) {
    const json::object schema = args(arg<sample::Tree>("tree", "A tree")).schema();
    EXPECT_EQ(schema.at("properties").at("tree"), parsed(R"({"$ref":"#/$defs/Tree","description":"A tree"})"));
    EXPECT_TRUE(schema.at("$defs").as_object().contains("Tree"));
}

TEST(Args, names_and_completers_are_listed) {
    const auto a = args(arg<std::string>("language", "").complete([](std::string_view prefix) {
        return std::vector<std::string>{std::string(prefix) + "thon"};
    }),
                        arg<std::optional<Sky>>("sky"));
    EXPECT_EQ(a.size, 2u);
    EXPECT_EQ(a.names(), (std::vector<std::string_view>{"language", "sky"}));
    ASSERT_EQ(a.completers().size(), 1u);
    EXPECT_EQ(a.completers()[0].first, "language");
    EXPECT_EQ(a.completers()[0].second("py"), std::vector<std::string>{"python"});
}

TEST(Args, a_name_given_twice_is_refused) { EXPECT_THROW(args(arg<int>("a"), arg<int>("a")), std::invalid_argument); }

TEST(Args, move_only_arguments_work) {
    const auto r =
        args(arg<sample::Node>("node")).decode(parsed(R"({"node":{"name":"a","next":{"name":"b"}}})").as_object());
    ASSERT_TRUE(r);
    EXPECT_EQ(std::get<0>(*r).next->name, "b");
}

}  // namespace
}  // namespace tenon
