#include "json/collisions.hpp"
#include "json/outline.hpp"

namespace tenon::json {

Result<value> parse(std::string_view text, ParseLimits limits, storage_ptr storage) {
    Outline outline;
    if (auto error = outline.read(text, limits)) return *std::move(error);
    auto built = build(outline.root(), std::move(storage));
    if (!built) return parse_error(std::string(colliding_keys));
    return *std::move(built);
}

}  // namespace tenon::json
