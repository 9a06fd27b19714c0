// For any value v of a described type T: schema_of<T>() accepts to_json(v), from_json<T>(to_json(v)) == v, and
// write_json writes to_json(v).
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <tenon/schema.hpp>

#include "unit/typed/sample_types.hpp"

namespace tenon::sample {

using rc::Gen;
namespace gen = rc::gen;

template <class T>
Gen<T> any() {
    return gen::arbitrary<T>();
}

// All bit patterns of finite doubles, and small numbers with a short form.
inline Gen<double> finite() {
    const auto bits = gen::map(gen::arbitrary<std::uint64_t>(), [](std::uint64_t n) {
        double d;
        std::memcpy(&d, &n, sizeof d);
        return std::isfinite(d) ? d : static_cast<double>(n);
    });
    return gen::oneOf(bits, gen::map(gen::arbitrary<int>(), [](int n) { return n / 4.0; }));
}

inline Gen<std::string> text() {
    return gen::container<std::string>(gen::oneOf(gen::inRange('\1', '\x7f'), gen::element('"', '\\', '\n', 'a')));
}

template <class T>
Gen<T> integer() {
    return gen::oneOf(gen::arbitrary<T>(),
                      gen::element(std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(0)));
}

inline Gen<Sky> sky() { return gen::element(Sky::clear, Sky::cloudy, Sky::rain); }

template <class T>
Gen<T> moment(std::int64_t min, std::int64_t end) {
    return gen::map(gen::inRange<std::int64_t>(min, end), [](std::int64_t n) { return T(typename T::duration(n)); });
}

constexpr std::int64_t first_second = -62167219200, end_second = 253402300800;
constexpr std::int64_t first_day = first_second / 86400, end_day = end_second / 86400;
constexpr auto least64 = std::numeric_limits<std::int64_t>::min(), most64 = std::numeric_limits<std::int64_t>::max();

inline Gen<std::chrono::year_month_day> date() {
    return gen::map(moment<std::chrono::sys_days>(first_day, end_day),
                    [](std::chrono::sys_days d) { return std::chrono::year_month_day(d); });
}

inline Gen<Limits> limits() {
    return gen::build<Limits>(
        gen::set(&Limits::i8, integer<std::int8_t>()), gen::set(&Limits::u8, integer<std::uint8_t>()),
        gen::set(&Limits::i16, integer<std::int16_t>()), gen::set(&Limits::u16, integer<std::uint16_t>()),
        gen::set(&Limits::i32, integer<std::int32_t>()), gen::set(&Limits::u32, integer<std::uint32_t>()),
        gen::set(&Limits::i64, integer<std::int64_t>()), gen::set(&Limits::u64, integer<std::uint64_t>()),
        gen::set(&Limits::f, gen::map(gen::arbitrary<int>(), [](int n) { return static_cast<float>(n) / 3.0f; })),
        gen::set(&Limits::d, finite()));
}

inline Gen<Times> times() {
    using namespace std::chrono;
    return gen::build<Times>(
        gen::set(&Times::day, date()), gen::set(&Times::midnight, moment<sys_days>(first_day, end_day)),
        gen::set(&Times::second, moment<sys_seconds>(first_second, end_second)),
        gen::set(&Times::milli, moment<sys_time<milliseconds>>(first_second * 1000, end_second * 1000)),
        gen::set(&Times::nano, moment<sys_time<nanoseconds>>(least64 + 2'000'000'000, most64 - 2'000'000'000)));
}

template <class T>
Gen<std::optional<T>> maybe(Gen<T> g) {
    return gen::oneOf(gen::just(std::optional<T>()),
                      gen::map(std::move(g), [](T v) { return std::optional<T>(std::move(v)); }));
}

// The schema of Forecast limits `celsius`.
inline Gen<Forecast> forecast() {
    return gen::build<Forecast>(
        gen::set(&Forecast::city, gen::suchThat(gen::resize(40, text()), [](const auto& s) { return !s.empty(); })),
        gen::set(&Forecast::celsius, gen::map(gen::inRange(-360, 240), [](int n) { return n / 4.0; })),
        gen::set(&Forecast::sky, maybe(sky())));
}

inline Gen<Tree> tree(int depth) {
    return gen::mapcat(gen::arbitrary<int>(), [depth](int value) {
        const auto children =
            depth == 0
                ? gen::just(std::vector<Tree>())
                : gen::resize(3, gen::container<std::vector<Tree>>(gen::lazy([depth] { return tree(depth - 1); })));
        return gen::map(children, [value](std::vector<Tree> c) { return Tree{value, std::move(c)}; });
    });
}

using Shape = decltype(Rich::shape);

inline Gen<Shape> shape() {
    const auto as_shape = [](auto v) { return Shape(std::move(v)); };
    return gen::oneOf(gen::just(Shape()), gen::map(any<bool>(), as_shape), gen::map(integer<int>(), as_shape),
                      gen::map(text(), as_shape), gen::map(any<std::vector<int>>(), as_shape),
                      gen::map(gen::construct<Circle>(finite(), maybe(text())), as_shape),
                      gen::map(gen::construct<Box>(finite(), finite()), as_shape));
}

inline Gen<json::value> extra() {
    return gen::element<json::value>(nullptr, 1, "x", json::value{{"a", json::array{1, nullptr}}}, json::array{}, true);
}

inline Gen<Derived> derived() {
    return gen::map(gen::pair(any<int>(), text()), [](const std::pair<int, std::string>& p) {
        Derived d;
        d.id = p.first;
        d.name = p.second;
        return d;
    });
}

inline Gen<Rich> rich() {
    return gen::build<Rich>(
        gen::set(&Rich::flag), gen::set(&Rich::text, text()), gen::set(&Rich::limits, limits()),
        gen::set(&Rich::forecast, maybe(forecast())), gen::set(&Rich::bits),
        gen::set(&Rich::gaps, gen::container<std::vector<std::optional<int>>>(maybe(any<int>()))),
        gen::set(&Rich::three), gen::set(&Rich::names, gen::container<std::set<std::string>>(text())),
        gen::set(&Rich::skies, gen::container<std::map<std::string, std::vector<Sky>>>(
                                   text(), gen::container<std::vector<Sky>>(sky()))),
        gen::set(&Rich::pair, gen::pair(any<int>(), text())), gen::set(&Rich::shape, shape()),
        gen::set(&Rich::extra, maybe(extra())), gen::set(&Rich::maybe, maybe(maybe(any<int>()))),
        gen::set(&Rich::tree, tree(3)), gen::set(&Rich::derived, derived()), gen::set(&Rich::times, times()));
}

// Boost.JSON distinguishes 3 and 3.0. JSON does not.
bool same_json(const json::value& a, const json::value& b) {
    if (a.is_number() && b.is_number()) return a == b || a.to_number<double>() == b.to_number<double>();
    if (a.is_array() && b.is_array())
        return std::equal(a.get_array().begin(), a.get_array().end(), b.get_array().begin(), b.get_array().end(),
                          same_json);
    if (a.is_object() && b.is_object())
        return std::equal(
            a.get_object().begin(), a.get_object().end(), b.get_object().begin(), b.get_object().end(),
            [](const auto& x, const auto& y) { return x.key() == y.key() && same_json(x.value(), y.value()); });
    return a == b;
}

template <class T>
void check_laws(const T& v, const schema::Schema& accepted) {
    const json::value j = to_json(v);
    RC_LOG() << json::write(j) << '\n';
    for (const schema::Violation& violation : accepted.check(j)) RC_FAIL(violation.message);
    const auto back = from_json<T>(j);
    if (!back) RC_FAIL(back.error().message);
    RC_ASSERT(*back == v);

    std::string bytes;
    json::Writer out(bytes);
    write_json(out, v);
    const auto parsed = json::parse(bytes);
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(same_json(*parsed, j));
    RC_ASSERT(accepted.accepts(*parsed));
    RC_ASSERT(from_json<T>(*parsed).value() == v);
}

// RapidCheck runs 100 cases with ten values each.
template <class T>
void holds_for(const Gen<T>& values) {
    schema::Options options;
    options.assert_formats = true;
    const auto accepted = schema::Schema::compile(schema_of<T>(), options);
    ASSERT_TRUE(accepted) << accepted.error().message;
    EXPECT_TRUE(rc::check([&] {
        for (const T& v : *gen::container<std::vector<T>>(10, values)) check_laws(v, *accepted);
    }));
}

TEST(RoundTrip, numbers_of_every_width) { holds_for(limits()); }
TEST(RoundTrip, dates_and_times) { holds_for(times()); }
TEST(RoundTrip, structs_with_defaults) { holds_for(forecast()); }
TEST(RoundTrip, structs_that_contain_themselves) { holds_for(tree(4)); }
TEST(RoundTrip, derived_structs) { holds_for(derived()); }
TEST(RoundTrip, variants) { holds_for(shape()); }
TEST(RoundTrip, everything_at_once) { holds_for(rich()); }

}  // namespace tenon::sample
