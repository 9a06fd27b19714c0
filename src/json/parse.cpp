#include "json/collisions.hpp"
#include "json/parse_error.hpp"
#include "json/scan.hpp"

namespace tenon::json {

namespace {

Result<value> parse(std::string_view text, ParseLimits limits, storage_ptr storage, DuplicateKeys duplicates) {
    Scan scan;
    if (auto error = scan.read(text, limits, duplicates)) return *std::move(error);
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
