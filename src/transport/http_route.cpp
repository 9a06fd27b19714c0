#include "transport/http_route.hpp"

#include <cstdlib>

#include "http/client_request.hpp"
#include "http/proxy_rules.hpp"

namespace tenon {
namespace {

std::shared_ptr<asio::ssl::context> tls_of(const HttpClientOptions& options) {
    auto out = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
    ::SSL_CTX_set_min_proto_version(out->native_handle(), TLS1_2_VERSION);
    out->set_verify_mode(asio::ssl::verify_peer);
    error_code error;
    if (options.ca_file.empty()) {
        out->set_default_verify_paths(error);
    } else {
        out->load_verify_file(options.ca_file, error);
    }
    if (error)
        throw Exception(
            {code::invalid_params, "cannot use the certificates " +
                                       (options.ca_file.empty() ? "of the system" : "in " + options.ca_file) + ": " +
                                       error.message()});
    return out;
}

std::optional<std::string> environment(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

std::shared_ptr<const HttpRoute> http_route(const HttpClientOptions& options) {
    auto out = std::make_shared<HttpRoute>();
    out->origin = web::parse_url(options.url).value();
    if (!out->origin.user.empty())
        throw Exception({code::invalid_params, "a URL must not hold a password; use HttpClientOptions::headers"});
    web::check_fields(options.headers).value();
    out->proxy = (options.proxy ? web::parse_proxy(*options.proxy) : web::proxy_for(out->origin, environment)).value();
    if (out->origin.tls) out->tls = tls_of(options);
    out->dial_time = options.dial_time;
    out->limits.max_head_bytes = options.max_head_bytes;
    return out;
}

}  // namespace tenon
