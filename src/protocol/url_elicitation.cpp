#include <tenon/protocol/elicitation.hpp>

#include "protocol/question_rules.hpp"

namespace tenon {

Exception url_elicitation_required(std::string_view message, std::string_view url, std::string_view elicitation_id) {
    if (const auto wrong = protocol::wrong_page_url(url)) return Exception({code::internal_error, wrong->message});
    json::object elicitation{{"mode", "url"}, {"elicitationId", elicitation_id}, {"url", url}, {"message", message}};
    json::object data{{"elicitations", json::array{std::move(elicitation)}}};
    return Exception({code::url_elicitation_required, std::string(message), std::move(data)});
}

}  // namespace tenon
