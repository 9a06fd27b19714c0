#include "client_auth.hpp"

#include <charconv>
#include <stdexcept>

#include "support/http_client.hpp"

namespace {

using namespace std::chrono_literals;
using tenon::json::object;

// Visits a page. Returns the target of its redirect.
std::string visit(const std::string& url) {
    const std::size_t colon = url.find(':', 7);
    const std::size_t slash = url.find('/', 7);
    std::uint16_t port = 0;
    std::from_chars(url.data() + colon + 1, url.data() + slash, port);
    tenon::test::HttpClient browser(port);
    browser.send("GET " + url.substr(slash) + " HTTP/1.1\r\nHost: " + url.substr(7, slash - 7) + "\r\n\r\n");
    const auto reply = browser.reply();
    return reply.field("location");
}

// Acts like a user who agrees to everything.
void agree(const tenon::auth::Page& page) {
    const std::string back = visit(page.url);
    if (!back.starts_with(page.redirect_uri)) throw std::runtime_error("the browser was led elsewhere");
    visit(back);
}

std::string text(const object& context, const char* name) { return std::string(context.at(name).as_string()); }

tenon::auth::SignInOptions by_browser() {
    tenon::auth::SignInOptions out;
    out.client_name = "tenon-conformance-client";
    out.open_page = agree;
    out.user_time = 10s;
    out.tokens.store = tenon::auth::memory_store();
    return out;
}

// The scenarios do not say which authorisation server the credentials are for, so the server may name it.
tenon::auth::TrustedIssuer any_issuer() { return tenon::auth::TrustedIssuer::discovered(); }

}  // namespace

std::shared_ptr<tenon::auth::Authoriser> authoriser_for(const std::string& scenario, const object& context) {
    if (scenario == "auth/client-credentials-basic")
        return tenon::auth::client_credentials({.client_id = text(context, "client_id"),
                                                .client_secret = text(context, "client_secret"),
                                                .issuer = any_issuer()});
    if (scenario == "auth/client-credentials-jwt")
        return tenon::auth::client_credentials({.client_id = text(context, "client_id"),
                                                .client_key = text(context, "private_key_pem"),
                                                .key_algorithm = text(context, "signing_algorithm"),
                                                .issuer = any_issuer()});
    if (scenario == "auth/wif-jwt-bearer")
        return tenon::auth::workload({.token = [jwt = text(context, "valid_jwt")](const std::string&) { return jwt; },
                                      .client_id = text(context, "client_id"),
                                      .issuer = any_issuer()});
    if (scenario == "auth/enterprise-managed-authorization")
        return tenon::auth::enterprise({.id_token = [token = text(context, "idp_id_token")] { return token; },
                                        .idp_token_endpoint = text(context, "idp_token_endpoint"),
                                        .idp_client_id = text(context, "idp_client_id"),
                                        .client_id = text(context, "client_id"),
                                        .client_secret = text(context, "client_secret"),
                                        .issuer = any_issuer()});
    auto options = by_browser();
    if (scenario == "auth/basic-cimd")
        options.client_metadata_url = "https://conformance-test.local/client-metadata.json";
    if (scenario == "auth/pre-registration") {
        options.client_id = text(context, "client_id");
        options.client_secret = text(context, "client_secret");
        options.issuer = any_issuer();
    }
    return tenon::auth::sign_in(std::move(options));
}
