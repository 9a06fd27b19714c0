#include "schema/refusal.hpp"

#include "base/utf8.hpp"

namespace tenon::schema {

Error refuse(const std::vector<Location>& locations, std::uint32_t location, std::string_view keyword,
             std::string_view what) {
    constexpr std::size_t longest_path = 300, longest_reason = 400;
    std::string path = pointer_of(locations, location);
    if (!keyword.empty()) append_pointer_token(path, keyword);
    if (path.empty()) path = "its root";
    return {code::invalid_params,
            "Invalid schema at " + base::shorten(path, longest_path) + ": " + base::shorten(what, longest_reason)};
}

std::string_view article_and_type(const json::value& v) {
    switch (v.kind()) {
        case json::kind::null: return "null";
        case json::kind::bool_: return "a boolean";
        case json::kind::string: return "a string";
        case json::kind::array: return "an array";
        case json::kind::object: return "an object";
        default: return "a number";
    }
}

}  // namespace tenon::schema
