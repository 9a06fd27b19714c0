// Invariant: a decoded value, written again, is accepted by the schema of its type and reads as the same value.
// Input: one byte that chooses a type of the tests, then JSON.
#include <tenon/schema.hpp>

#include "finite.hpp"
#include "support.hpp"
#include "unit/typed/sample_types.hpp"

namespace tenon::fuzz::typed_target {
namespace {

template <class T>
void check(const json::value& input) {
    static const schema::Schema accepts = schema::Schema::compile(schema_of<T>()).value();
    const auto value = from_json<T>(input);
    if (!value) return must(!value.error().message.empty(), "an error says what is wrong");
    if (!accepts.accepts(input)) return;  // decoding alone does not check bounds such as max_length()
    const json::value written = to_json(*value);
    must(accepts.accepts(written), "the schema of a type accepts its values");
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
}  // namespace tenon::fuzz::typed_target
