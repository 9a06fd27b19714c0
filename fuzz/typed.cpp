// Invariant: what a C++ type reads is written so that its schema accepts it, and read again as the same value.
// Input: JSON for one of the described types of the tests; the first byte chooses which.
#include <tenon/schema.hpp>

#include "finite.hpp"
#include "support.hpp"
#include "unit/typed/sample_types.hpp"

namespace tenon::fuzz {
namespace {

template <class T>
void check(const json::value& input) {
    static const schema::Schema accepts = schema::Schema::compile(schema_of<T>()).value();
    const auto value = from_json<T>(input);
    if (!value) return must(!value.error().message.empty(), "an error says what is wrong");
    const json::value written = to_json(*value);
    must(accepts.accepts(written), "what a type writes, its schema accepts");
    const auto again = from_json<T>(written);
    must(again.has_value() && *again == *value, "a written value reads the same");
}

void run(std::string_view input) {
    Feed feed(input);
    const std::uint8_t choice = feed.byte();
    const auto value = json::parse(feed.rest());
    if (!value || !all_finite(*value)) return;
    switch (choice % 6) {
        case 0: return check<sample::Forecast>(*value);
        case 1: return check<sample::Tree>(*value);
        case 2: return check<sample::Derived>(*value);
        case 3: return check<sample::Limits>(*value);
        case 4: return check<sample::Times>(*value);
        default: return check<sample::Rich>(*value);
    }
}

const Target target{"typed", run};

}  // namespace
}  // namespace tenon::fuzz
