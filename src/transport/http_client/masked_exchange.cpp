#include "transport/http_client/masked_exchange.hpp"

#include <algorithm>
#include <array>

#include <tenon/wire_tap.hpp>

#include "framing/http_fields.hpp"

namespace tenon {
namespace {

// Every other value may be a secret.
constexpr std::array<std::string_view, 14> shown_names = {"grant_type",
                                                          "response_type",
                                                          "client_id",
                                                          "redirect_uri",
                                                          "resource",
                                                          "scope",
                                                          "audience",
                                                          "code_challenge_method",
                                                          "client_assertion_type",
                                                          "requested_token_type",
                                                          "subject_token_type",
                                                          "error",
                                                          "error_description",
                                                          "error_uri"};
constexpr std::array<std::string_view, 6> secret_headers = {"authorization", "cookie",     "set-cookie",
                                                            "dpop",          "dpop-nonce", "proxy-authorization"};
constexpr std::string_view mask = "***";

std::vector<std::pair<std::string, std::string>> masked_fields(const web::OwnFields& fields) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& [name, value] : fields) {
        const bool secret = std::ranges::any_of(
            secret_headers, [&](std::string_view known) { return framing::equal_ignoring_case(known, name); });
        out.emplace_back(std::string(name), secret ? std::string(mask) : mask_secrets(value));
    }
    return out;
}

std::string masked_url(std::string_view url) {
    const std::size_t query = url.find('?');
    std::string out(url.substr(0, query));
    if (query != std::string_view::npos) out += "?" + masked_form(url.substr(query + 1));
    return out;
}

std::string masked_body(std::string_view body) {
    const bool is_json = body.find_first_of("{[") != std::string_view::npos && !body.starts_with("grant_type");
    return body.empty() ? std::string() : is_json ? mask_secrets(body) : masked_form(body);
}

}  // namespace

std::string masked_form(std::string_view form) {
    std::string out;
    while (!form.empty()) {
        const std::size_t end = form.find('&');
        const std::string_view pair = form.substr(0, end);
        const std::size_t equals = pair.find('=');
        const bool shown = equals != std::string_view::npos &&
                           std::ranges::find(shown_names, pair.substr(0, equals)) != shown_names.end();
        if (!out.empty()) out += '&';
        if (shown)
            out += pair;
        else
            out.append(pair.substr(0, std::min(equals, pair.size()))).append("=").append(mask);
        if (end == std::string_view::npos) break;
        form.remove_prefix(end + 1);
    }
    return out;
}

auth::Exchange masked_request(std::string_view method, const std::string& url, const web::OwnFields& fields,
                              const std::string& body) {
    auth::Exchange out;
    out.method = method;
    out.url = masked_url(url);
    out.request_headers = masked_fields(fields);
    out.request_body = masked_body(body);
    return out;
}

void add_masked_response(auth::Exchange& exchange, int status, const web::OwnFields& fields, const std::string& body) {
    exchange.status = status;
    exchange.response_headers = masked_fields(fields);
    exchange.response_body = mask_secrets(body);
}

}  // namespace tenon
