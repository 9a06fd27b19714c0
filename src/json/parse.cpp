#include "json/collisions.hpp"
#include "json/scan.hpp"

namespace tenon::json {

namespace {

Error parse_error(std::string why) { return {code::parse_error, "Parse error: " + std::move(why)}; }

Result<value> parse(std::string_view text, ParseLimits limits, storage_ptr storage, DuplicateKeys duplicates) {
    Scan scan;
    if (auto why = scan.read(text, limits, duplicates)) return parse_error(*std::move(why));
    auto built = build(scan.root(), std::move(storage));
    if (!built) return parse_error(std::string(colliding_keys));
    return *std::move(built);
}

}  // namespace

Result<value> parse(std::string_view text, ParseLimits limits, storage_ptr storage) {
    return parse(text, limits, std::move(storage), DuplicateKeys::refused);
}

Result<value> parse_patiently(std::string_view text, ParseLimits limits) {
    return parse(text, limits, {}, DuplicateKeys::taken);
}

}  // namespace tenon::json
