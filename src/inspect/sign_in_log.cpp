#include "inspect/sign_in_log.hpp"

#include "auth/client/record.hpp"
#include "inspect/refusal.hpp"
#include "transport/http_client/masked_exchange.hpp"

namespace tenon::inspect {
namespace {

constexpr std::size_t max_shown_body = 16 * 1024;

json::object headers_json(const std::vector<std::pair<std::string, std::string>>& headers) {
    json::object out;
    for (const auto& [name, value] : headers) out[name] = value;
    return out;
}

}  // namespace

std::optional<SignInStep> sign_in_step_named(std::string_view name) {
    if (name == "start" || name == "metadata") return SignInStep::metadata;
    if (name == "register") return SignInStep::registration;
    if (name == "authorise" || name == "token") return SignInStep::user;
    if (name == "refresh") return SignInStep::refresh;
    return std::nullopt;
}

std::string without_step(const std::string& stored, SignInStep from) {
    auth::client::Record record = auth::client::read_record(stored);
    switch (from) {
        case SignInStep::metadata: return {};
        case SignInStep::registration:
            record.forget_tokens();
            record.identities.clear();
            break;
        case SignInStep::user: record.forget_tokens(); break;
        case SignInStep::refresh:
            if (record.tokens.refresh_token.empty())
                throw Refusal{409, "The authorisation server gave no refresh token.", "Repeat an earlier step."};
            record.tokens.expires_at = 1;  // long ago, so the client refreshes before the next request
            break;
    }
    return record.is_empty() ? std::string() : auth::client::write_record(record);
}

std::string_view step_of(const auth::Exchange& exchange) {
    if (exchange.url.find("/.well-known/") != std::string::npos) return "metadata";
    if (exchange.request_body.find("grant_type=refresh_token") != std::string::npos) return "refresh";
    if (exchange.request_body.find("grant_type=") != std::string::npos) return "token";
    if (exchange.request_body.starts_with("{")) return "register";
    return "other";
}

void SignInLog::add(const auth::Exchange& exchange) {
    json::object step = {{"step", step_of(exchange)},
                         {"method", exchange.method},
                         {"url", exchange.url},
                         {"request_headers", headers_json(exchange.request_headers)},
                         {"request_body", cut_text(exchange.request_body, max_shown_body)},
                         {"status", exchange.status},
                         {"response_headers", headers_json(exchange.response_headers)},
                         {"response_body", cut_text(exchange.response_body, max_shown_body)},
                         {"ms", std::chrono::duration<double, std::milli>(exchange.took).count()},
                         {"at", wall_clock()}};
    if (!exchange.error.empty()) step["error"] = exchange.error;
    add_step(std::move(step));
}

void SignInLog::add_page(const auth::Page& page) {
    const std::string url = masked_request("GET", page.url, {}, {}).url;
    add_step({{"step", "authorise"}, {"method", "GET"}, {"url", url}, {"at", wall_clock()}});
}

void SignInLog::add_step(json::object step) {
    {
        const std::lock_guard lock(mutex_);
        steps_.push_back(step);
        if (steps_.size() > max_steps) steps_.pop_front();
    }
    recorder_.tell("http", std::move(step));
}

json::array SignInLog::steps() const {
    const std::lock_guard lock(mutex_);
    return json::array(steps_.begin(), steps_.end());
}

}  // namespace tenon::inspect
