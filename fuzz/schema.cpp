// Invariant: never crashes, never exceeds its budget, accepts() and check() agree, and `true` accepts all.
//
// The input is a schema and an instance, as JSON, with a line feed between them; its first byte chooses the options.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <tenon/schema.hpp>

namespace {

using namespace tenon;

schema::Options options_from(std::uint8_t byte) {
    schema::Options options;
    options.default_dialect = static_cast<schema::Dialect>(byte % 3);
    options.assert_formats = (byte & 4) != 0;
    options.limits.max_work = 20'000;
    options.limits.max_pattern_memory = 1 << 16;
    return options;
}

void require(bool claim) {
    if (!claim) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto line = text.find('\n');
    if (line == text.npos) return 0;
    const auto schema_json = json::parse(text.substr(0, line)), instance = json::parse(text.substr(line + 1));
    if (!schema_json || !instance) return 0;

    static const schema::Schema anything = schema::Schema::compile(json::value(true)).value();
    require(anything.accepts(*instance));

    const auto compiled = schema::Schema::compile(*schema_json, options_from(data[0]));
    if (!compiled) {
        require(!compiled.error().message.empty() && compiled.error().message.size() < 1000);
        return 0;
    }
    const bool valid = compiled->accepts(*instance);
    const auto violations = compiled->check(*instance, 3, "arguments");
    require(valid == violations.empty());
    require(violations.size() <= 3);
    for (const auto& v : violations) require(!v.message.empty() && v.message.size() < 2000);
    return 0;
}
