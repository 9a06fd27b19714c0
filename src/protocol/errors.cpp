// Makes the errors that handlers can throw.
#include <tenon/protocol/elicitation.hpp>
#include <tenon/protocol/resources.hpp>

namespace tenon {

Exception resource_not_found(std::string_view uri) {
    return Exception({code::resource_not_found, "Resource not found: " + std::string(uri), json::object{{"uri", uri}}});
}

Exception url_elicitation_required(std::string_view message, std::string_view url, std::string_view elicitation_id) {
    json::object elicitation{{"mode", "url"}, {"elicitationId", elicitation_id}, {"url", url}, {"message", message}};
    json::object data{{"elicitations", json::array{std::move(elicitation)}}};
    return Exception({code::url_elicitation_required, std::string(message), std::move(data)});
}

}  // namespace tenon
