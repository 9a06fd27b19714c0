#include "json/outline.hpp"

namespace tenon::json {

Result<value> parse(std::string_view text, ParseLimits limits, storage_ptr storage) {
    Outline outline;
    if (auto error = outline.read(text, limits)) return *std::move(error);
    return build(outline.root(), std::move(storage));
}

}  // namespace tenon::json
