// The described types that the tests of this folder share.
#pragma once

#include <map>
#include <set>
#include <tenon/typed.hpp>

namespace tenon::sample {

enum class Sky { clear, cloudy, rain };
BOOST_DESCRIBE_ENUM(Sky, clear, cloudy, rain)

struct Forecast {
    std::string city;
    double celsius = 0;
    std::optional<Sky> sky;
    bool operator==(const Forecast&) const = default;
};
BOOST_DESCRIBE_STRUCT(Forecast, (), (city, celsius, sky))

inline auto tenon_fields(Forecast*) {
    return fields(field<&Forecast::city>("City name").min_length(1).max_length(80),
                  field<&Forecast::celsius>("At noon").min(-90).max(60.5).def(20))
        .title("A forecast");
}

struct Tree {
    int value = 0;
    std::vector<Tree> children;
    bool operator==(const Tree&) const = default;
};
BOOST_DESCRIBE_STRUCT(Tree, (), (value, children))

struct Node {
    std::string name;
    std::unique_ptr<Node> next;
};
BOOST_DESCRIBE_STRUCT(Node, (), (name, next))

struct Base {
    int id = 0;
    bool operator==(const Base&) const = default;
};
BOOST_DESCRIBE_STRUCT(Base, (), (id))
inline auto tenon_fields(Base*) { return fields(field<&Base::id>("A number")); }

struct Derived : Base {
    std::string name;
    bool operator==(const Derived&) const = default;
};
BOOST_DESCRIBE_STRUCT(Derived, (Base), (name))

struct Circle {
    double radius = 0;
    std::optional<std::string> label;
    bool operator==(const Circle&) const = default;
};
BOOST_DESCRIBE_STRUCT(Circle, (), (radius, label))

struct Box {
    double width = 0, height = 0;
    bool operator==(const Box&) const = default;
};
BOOST_DESCRIBE_STRUCT(Box, (), (width, height))

struct Limits {
    std::int8_t i8 = 0;
    std::uint8_t u8 = 0;
    std::int16_t i16 = 0;
    std::uint16_t u16 = 0;
    std::int32_t i32 = 0;
    std::uint32_t u32 = 0;
    std::int64_t i64 = 0;
    std::uint64_t u64 = 0;
    float f = 0;
    double d = 0;
    bool operator==(const Limits&) const = default;
};
BOOST_DESCRIBE_STRUCT(Limits, (), (i8, u8, i16, u16, i32, u32, i64, u64, f, d))

struct Times {
    std::chrono::year_month_day day = std::chrono::year(2000) / 1 / 1;
    std::chrono::sys_days midnight;
    std::chrono::sys_seconds second;
    std::chrono::sys_time<std::chrono::milliseconds> milli;
    std::chrono::sys_time<std::chrono::nanoseconds> nano;
    bool operator==(const Times&) const = default;
};
BOOST_DESCRIBE_STRUCT(Times, (), (day, midnight, second, milli, nano))

struct Rich {
    bool flag = false;
    std::string text;
    Limits limits;
    std::optional<Forecast> forecast;
    std::vector<bool> bits;
    std::vector<std::optional<int>> gaps;
    std::array<int, 3> three{};
    std::set<std::string> names;
    std::map<std::string, std::vector<Sky>> skies;
    std::pair<int, std::string> pair;
    std::variant<std::monostate, bool, int, std::string, std::vector<int>, Circle, Box> shape;
    std::optional<json::value> extra;
    std::optional<std::optional<int>> maybe;
    Tree tree;
    Derived derived;
    Times times;
    bool operator==(const Rich&) const = default;
};
BOOST_DESCRIBE_STRUCT(Rich, (),
                      (flag, text, limits, forecast, bits, gaps, three, names, skies, pair, shape, extra, maybe, tree,
                       derived, times))

}  // namespace tenon::sample
