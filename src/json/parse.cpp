#include "json/collisions.hpp"
#include "json/scan.hpp"

namespace tenon::json {

namespace {

Result<value> parse(std::string_view text, ParseLimits limits, storage_ptr storage, Repeated repeated) {
    Scan outline;
    if (auto error = outline.read(text, limits, repeated)) return *std::move(error);
    auto built = build(outline.root(), std::move(storage));
    if (!built) return parse_error(std::string(colliding_keys));
    return *std::move(built);
}

}  // namespace

Result<value> parse(std::string_view text, ParseLimits limits, storage_ptr storage) {
    return parse(text, limits, std::move(storage), Repeated::refused);
}

Result<value> parse_patiently(std::string_view text, ParseLimits limits) {
    return parse(text, limits, {}, Repeated::taken);
}

}  // namespace tenon::json
