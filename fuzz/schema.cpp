// Invariant: a schema never fails, keeps its limits, accepts() and check() agree, and `true` accepts everything.
// Input: one byte that chooses the options, then a schema and an instance with a line feed between them.
#include <tenon/schema.hpp>

#include "support.hpp"

namespace tenon::fuzz::schema_target {
namespace {

schema::Options options_from(std::uint8_t byte) {
    schema::Options options;
    options.default_dialect = static_cast<schema::Dialect>(byte % 3);
    options.assert_formats = (byte & 4) != 0;
    options.limits.max_work = 20'000;
    options.limits.max_pattern_memory = 1 << 16;
    return options;
}

void check(const schema::Schema& schema, const json::value& instance) {
    const auto violations = schema.check(instance, 3, "arguments");
    must(schema.accepts(instance) == violations.empty(), "accepts() and check() agree");
    must(violations.size() <= 3, "violations are within their limit");
    for (const auto& v : violations) must(!v.message.empty() && v.message.size() < 2000, "a message is short");
}

void run(std::string_view input) {
    Feed feed(input);
    const std::uint8_t choice = feed.byte();
    const auto schema_json = json::parse(feed.until('\n')), instance = json::parse(feed.rest());
    if (!schema_json || !instance) return;

    static const schema::Schema anything = schema::Schema::compile(json::value(true)).value();
    must(anything.accepts(*instance), "`true` accepts everything");

    const auto compiled = schema::Schema::compile(*schema_json, options_from(choice));
    if (compiled) return check(*compiled, *instance);
    must(!compiled.error().message.empty() && compiled.error().message.size() < 1000, "an error is short");
}

// Building a table for a pattern takes many steps for few bytes, but their number is bounded.
const Target target{
    "schema", run, {.base_bytes = 64 << 20, .base_allocations = 400'000, .base_work = 400'000'000, .work = 200'000}};

}  // namespace
}  // namespace tenon::fuzz::schema_target
