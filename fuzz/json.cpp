// A text is JSON to us when it is JSON to Boost, but for keys that come twice; and what was written reads as what it
// was.
#include <boost/json/parse.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <tenon/json.hpp>

namespace {

using tenon::json::value;

// A number that no double holds is read as an infinity, which JSON cannot say; and -0 is written as an integer, which
// has none.
bool can_be_said(const value& v) {
    if (v.is_double()) return std::isfinite(v.get_double()) && (v.get_double() != 0 || !std::signbit(v.get_double()));
    if (const auto* o = v.if_object()) {
        for (const auto& member : *o)
            if (!can_be_said(member.value())) return false;
    } else if (const auto* a = v.if_array()) {
        for (const auto& element : *a)
            if (!can_be_said(element)) return false;
    }
    return true;
}

void must(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto ours = tenon::json::parse(text);
    boost::json::parse_options options;
    options.max_depth = tenon::json::ParseLimits().max_depth;
    boost::system::error_code error;
    boost::json::parse(text, error, {}, options);
    const bool repeated = !ours && ours.error().message.find("same key twice") != std::string::npos;
    must(ours.has_value() == !error || (repeated && !error));
    if (!ours || !can_be_said(*ours)) return 0;
    const std::string written = tenon::json::write(*ours);
    const auto again = tenon::json::parse(written);
    must(again && tenon::json::write(*again) == written);  // 15.0 is written as 15, and that is another kind of value
    return 0;
}
