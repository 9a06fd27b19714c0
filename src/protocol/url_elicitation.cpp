#include "protocol/url_elicitation.hpp"

#include <tenon/protocol/elicitation.hpp>

#include "protocol/question_rules.hpp"

namespace tenon {

bool protocol::is_url_elicitation_error(int code, const Rules& rules) {
    return code == code::url_elicitation_required && rules.is_legacy() && rules.has(Trait::url_elicitation);
}

Exception url_elicitation_required(std::string_view message, std::string_view url, std::string_view elicitation_id) {
    if (const auto wrong = protocol::wrong_page_url(url)) return Exception({code::internal_error, wrong->message});
    json::object elicitation{{"mode", "url"}, {"elicitationId", elicitation_id}, {"url", url}, {"message", message}};
    json::object data{{"elicitations", json::array{std::move(elicitation)}}};
    return Exception({code::url_elicitation_required, std::string(message), std::move(data)});
}

}  // namespace tenon
