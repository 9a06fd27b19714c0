#include "inspect/sign_in_log.hpp"

namespace tenon::inspect {
namespace {

constexpr std::size_t max_shown_body = 16 * 1024;

json::object headers_json(const std::vector<std::pair<std::string, std::string>>& headers) {
    json::object out;
    for (const auto& [name, value] : headers) out[name] = value;
    return out;
}

}  // namespace

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
