#include <tenon/protocol/resources.hpp>

namespace tenon {

Exception resource_not_found(std::string_view uri) {
    return Exception({code::resource_not_found, "Resource not found: " + std::string(uri), json::object{{"uri", uri}}});
}

}  // namespace tenon
