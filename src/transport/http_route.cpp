#include "transport/http_route.hpp"

#include <cstdlib>

#include "http/address_rules.hpp"
#include "http/proxy_rules.hpp"

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

}  // namespace tenon
