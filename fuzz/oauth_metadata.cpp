// Invariant: a document on the way to a token is accepted only when it is about this server and its URLs are safe.
// Input: one byte that chooses the kind of document, then the document.
#include "auth/client/authorisation_request.hpp"
#include "auth/client/grant.hpp"
#include "auth/client/registration.hpp"
#include "auth/metadata.hpp"
#include "auth/resource_server/token.hpp"
#include "support.hpp"

namespace tenon::fuzz::oauth_metadata_target {
namespace {

using namespace auth::client;

const web::Url& server() {
    static const web::Url url = web::parse_url("https://mcp.example/mcp/one").value();
    return url;
}

bool safe_or_empty(const std::string& text) {
    const auto url = web::parse_url(text);
    return text.empty() || (url.has_value() && is_safe(*url));
}

void check_issuer(std::string_view body) {
    const auto issuer = read_issuer(body, "https://as.example");
    if (!issuer) return must(!issuer.error().message.empty(), "an error says what is wrong");
    must(issuer->issuer == "https://as.example", "a document is about its issuer");
    for (const auto& url : {issuer->authorization_endpoint, issuer->token_endpoint, issuer->registration_endpoint})
        must(safe_or_empty(url), "endpoints are safe");
    (void)choose_auth_method(*issuer, true, true);
    const auto identity = read_registration(201, body, {.redirect_uri = "http://127.0.0.1:7/"}, *issuer);
    if (identity) must(!identity->client_id.empty(), "a registered client has an id");
}

void check_resource(std::string_view body) {
    const auto resource = read_protected_resource(body, server());
    if (!resource) return must(!resource.error().message.empty(), "an error says what is wrong");
    const auto about = web::parse_url(resource->resource);
    must(about.has_value() && web::same_origin(*about, server()), "a document is about this server");
}

void check_tokens(std::string_view body) {
    const auto tokens = read_tokens(200, body, 1'800'000'000);
    if (tokens) must(!tokens->access_token.empty(), "there is a token");
    must(!oauth_error("what", 400, body).message.empty(), "an error says what is wrong");
    (void)error_code_of(body);
}

void check_claims(std::string_view body) {
    const auto claims = json::parse(body);
    if (!claims || !claims->is_object()) return;
    const auth::Expected expected{.issuer = "https://as.example", .audience = "https://mcp.example/mcp"};
    for (const auto& read :
         {auth::read_claims(claims->get_object(), expected), auth::read_introspection(claims->get_object(), expected)})
        if (const auto* token = std::get_if<auth::Token>(&read))
            (void)auth::check_times(*token, expected, WallTime(std::chrono::seconds(1'800'000'000)));
}

void check_redirect(std::string_view url) {
    const AuthorisationRequest request{
        .issuer = "https://as.example", .redirect_uri = "http://127.0.0.1:7/callback", .state = "s7"};
    const auto code = code_of(url, request);
    if (!code) return;
    must(url.starts_with(request.redirect_uri), "a redirect arrives at the URI of the request");
    must(url.find("s7") != url.npos || url.find('%') != url.npos, "a redirect belongs to its attempt");
}

void run(std::string_view input) {
    Feed feed(input);
    const std::uint8_t choice = feed.byte();
    switch (choice % 5) {
        case 0: return check_issuer(feed.rest());
        case 1: return check_resource(feed.rest());
        case 2: return check_tokens(feed.rest());
        case 3: return check_claims(feed.rest());
        default: return check_redirect(feed.rest());
    }
}

const Target target{"oauth_metadata", run};

}  // namespace
}  // namespace tenon::fuzz::oauth_metadata_target
