#include "auth/parse_object.hpp"

#include <tenon/auth/error.hpp>

namespace tenon::auth::client {
namespace {

constexpr std::size_t max_depth = 16;

}  // namespace

Result<json::object> parse_object(std::string_view text, std::string_view what) {
    auto parsed = json::parse(text, {max_depth});
    if (parsed && parsed->is_object()) return std::move(parsed->get_object());
    return Error{code::not_authorised, std::string(what) + " is not a JSON object"};
}

}  // namespace tenon::auth::client
