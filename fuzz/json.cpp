// Invariant: a text is JSON to us when it is JSON to Boost and has no key twice; a written value reads the same.
// Input: a text.
#include <boost/json/parse.hpp>
#include <tenon/json.hpp>

#include "finite.hpp"
#include "support.hpp"

namespace tenon::fuzz::json_target {
namespace {

using json::value;

// -0 is written as 0.
bool has_minus_zero(const value& v) {
    if (v.is_double()) return v.get_double() == 0 && std::signbit(v.get_double());
    if (const auto* array = v.if_array()) return std::ranges::any_of(*array, has_minus_zero);
    const auto* object = v.if_object();
    return object && std::ranges::any_of(*object, [](const auto& member) { return has_minus_zero(member.value()); });
}

void run(std::string_view text) {
    const auto ours = json::parse(text);
    boost::json::parse_options options;
    options.max_depth = json::ParseLimits().max_depth;
    boost::system::error_code error;
    boost::json::parse(text, error, {}, options);
    const bool repeated = !ours && ours.error().message.find("same key twice") != std::string::npos;
    must(ours.has_value() == !error || (repeated && !error), "Boost agrees about what JSON is");
    if (!ours || !all_finite(*ours) || has_minus_zero(*ours)) return;
    const std::string written = json::write(*ours);
    const auto again = json::parse(written);
    // Compares texts, because 15.0 is written as 15, which is a value of another kind.
    must(again && json::write(*again) == written, "a written value reads the same");
}

const Target target{"json", run};

}  // namespace
}  // namespace tenon::fuzz::json_target
