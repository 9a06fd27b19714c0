#include "transport/http_client/route.hpp"

#include <algorithm>
#include <cstdlib>

#include "web/address_rules.hpp"
#include "web/client_request.hpp"
#include "web/proxy_rules.hpp"

namespace tenon {
namespace {

std::optional<std::string> environment(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
}

bool matches(const asio::ip::address& address, bool (*rule)(std::span<const std::uint8_t>)) {
    return address.is_v4() ? rule(address.to_v4().to_bytes()) : rule(address.to_v6().to_bytes());
}

}  // namespace

Result<HttpRoute> route_to(const web::Url& origin, const std::optional<std::string>& proxy) {
    auto through = proxy ? web::parse_proxy(*proxy) : web::proxy_for(origin, environment);
    if (!through) return through.error();
    HttpRoute out;
    out.origin = origin;
    out.proxy = *std::move(through);
    return out;
}

Result<std::shared_ptr<asio::ssl::context>> tls_context(const std::string& ca_file) {
    auto out = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
    ::SSL_CTX_set_min_proto_version(out->native_handle(), TLS1_2_VERSION);
    out->set_verify_mode(asio::ssl::verify_peer);
    error_code error;
    if (ca_file.empty()) {
        out->set_default_verify_paths(error);
    } else {
        out->load_verify_file(ca_file, error);
    }
    if (!error) return out;
    return Error{code::invalid_params, "cannot use the certificates " +
                                           (ca_file.empty() ? "of the system" : "in " + ca_file) + ": " +
                                           error.message()};
}

bool is_public(const asio::ip::address& address) { return matches(address, web::is_public_address); }
bool is_loopback(const asio::ip::address& address) { return matches(address, web::is_loopback_address); }

std::shared_ptr<const HttpRoute> http_route(const HttpClientOptions& options, std::shared_ptr<bool> seen_public) {
    const web::Url origin = web::parse_url(options.url).value();
    if (!origin.user.empty())
        throw Exception({code::invalid_params, "a URL must not contain a password; use HttpClientOptions::headers"});
    web::check_fields(options.headers).value();
    if (options.auth && std::ranges::any_of(options.headers, [](const auto& field) {
            return framing::equal_ignoring_case(field.first, "authorization");
        }))
        throw Exception(
            {code::invalid_params, "a header `Authorization` and HttpClientOptions::auth exclude each other"});
    auto out = std::make_shared<HttpRoute>(route_to(origin, options.proxy).value());
    if (origin.tls) out->tls = tls_context(options.ca_file).value();
    out->dial_time = options.dial_time;
    out->limits.max_head_bytes = options.max_head_bytes;
    if (seen_public)
        out->admits = [seen_public = std::move(seen_public)](const asio::ip::address& address) {
            *seen_public = *seen_public || is_public(address);
            return true;
        };
    return out;
}

}  // namespace tenon
