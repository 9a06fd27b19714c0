#include "transport/http_client/authoriser.hpp"

#include <tenon/error.hpp>

#include "auth/metadata.hpp"
#include "io/open_url.hpp"

namespace tenon::auth {
namespace {

using client::Profile;

[[noreturn]] void refuse(std::string why) { throw Exception({code::invalid_params, std::move(why)}); }

std::shared_ptr<Authoriser> made(Profile::Kind kind, TokenOptions tokens) {
    auto out = std::make_shared<Authoriser>();
    Profile& p = out->profile;
    p.kind = kind;
    for (const std::string& scope : tokens.scopes) {
        if (client::parse_scopes(scope) != client::Scopes{scope}) refuse("`" + scope + "` is not a valid scope");
        p.scopes = client::joined(std::move(p.scopes), {scope});
    }
    p.resource_indicator = tokens.resource_indicator;
    if (tokens.dpop == Dpop::always) p.dpop = Profile::Dpop::always;
    if (tokens.dpop == Dpop::never) p.dpop = Profile::Dpop::never;
    if (!tokens.store) tokens.store = kind == Profile::Kind::user ? file_store() : memory_store();
    out->tokens = std::move(tokens);
    return out;
}

// Its errors never quote the key.
std::optional<jose::PrivateKey> key_of(const std::string& pem, const std::string& algorithm = {},
                                       const std::string& id = {}) {
    if (pem.empty()) return std::nullopt;
    const auto named = jose::algorithm_named(algorithm);
    if (!algorithm.empty() && !named) refuse("`" + algorithm + "` is not a supported signature algorithm");
    auto key = jose::PrivateKey::from_pem(pem, named, id);
    if (!key) refuse("cannot use the client's key: " + key.error().message);
    return *std::move(key);
}

void check_url(const std::string& url, std::string_view what) {
    if (!url.empty()) client::safe_url(url, what).value();
}

}  // namespace

TrustedIssuer::TrustedIssuer(std::string url) : url_(std::move(url)) {
    if (url_.empty())
        refuse("the issuer is empty: give the URL of the authorisation server that may see the client's secret");
    check_url(url_, "the issuer");
}

bool open_browser(const std::string& url) { return io::open_url(url); }

std::shared_ptr<Authoriser> sign_in(SignInOptions o) {
    if (o.ask_user && o.redirect_uri.empty()) refuse("SignInOptions::ask_user needs a redirect_uri");
    if (!o.client_metadata_url.empty() && !o.client_metadata_url.starts_with("https://"))
        refuse("SignInOptions::client_metadata_url must begin with https://");
    if (o.client_id.empty() && !o.client_secret.empty()) refuse("a client secret needs a client id");
    if (!o.issuer && (!o.client_secret.empty() || !o.client_key.empty()))
        refuse(
            "a client with a secret or a key needs SignInOptions::issuer: without it, the server decides which "
            "authorisation server sees them");
    auto out = made(Profile::Kind::user, std::move(o.tokens));
    Profile& p = out->profile;
    p.interactive = o.interactive;
    p.client_name = std::move(o.client_name);
    p.client_uri = std::move(o.client_uri);
    p.client_id = std::move(o.client_id);
    p.client_secret = std::move(o.client_secret);
    p.client_key = key_of(o.client_key);
    p.client_metadata_url = std::move(o.client_metadata_url);
    if (o.issuer) p.issuer = o.issuer->url();
    p.offline_access = o.offline_access;
    out->user_time = o.user_time;
    out->open_page = std::move(o.open_page);
    out->redirect_port = o.redirect_port;
    out->ask_user = std::move(o.ask_user);
    out->redirect_uri = std::move(o.redirect_uri);
    return out;
}

std::shared_ptr<Authoriser> client_credentials(ClientCredentialsOptions o) {
    if (o.client_id.empty()) refuse("ClientCredentialsOptions::client_id is missing");
    if (o.client_secret.empty() == o.client_key.empty())
        refuse("client credentials need a secret or a key, and not both");
    auto out = made(Profile::Kind::client_credentials, std::move(o.tokens));
    Profile& p = out->profile;
    p.client_id = std::move(o.client_id);
    p.client_secret = std::move(o.client_secret);
    p.client_key = key_of(o.client_key, o.key_algorithm, o.key_id);
    p.issuer = o.issuer.url();
    return out;
}

json::object Authoriser::extensions() const {
    if (profile.kind == Profile::Kind::client_credentials)
        return {{"io.modelcontextprotocol/oauth-client-credentials", json::object()}};
    if (profile.kind == Profile::Kind::enterprise)
        return {{"io.modelcontextprotocol/enterprise-managed-authorization", json::object()}};
    return {};
}

std::shared_ptr<Authoriser> workload(WorkloadOptions o) {
    if (!o.token) refuse("WorkloadOptions::token is missing");
    auto out = made(Profile::Kind::workload, std::move(o.tokens));
    out->profile.client_id = std::move(o.client_id);
    out->profile.issuer = o.issuer.url();
    out->assertion = std::move(o.token);
    return out;
}

std::shared_ptr<Authoriser> enterprise(EnterpriseOptions o) {
    if (!o.id_token) refuse("EnterpriseOptions::id_token is missing");
    if (o.idp_issuer.empty() && o.idp_token_endpoint.empty())
        refuse("EnterpriseOptions needs idp_issuer or idp_token_endpoint");
    check_url(o.idp_issuer, "EnterpriseOptions::idp_issuer");
    check_url(o.idp_token_endpoint, "EnterpriseOptions::idp_token_endpoint");
    auto out = made(Profile::Kind::enterprise, std::move(o.tokens));
    Profile& p = out->profile;
    p.idp_issuer = std::move(o.idp_issuer);
    p.idp_token_endpoint = std::move(o.idp_token_endpoint);
    p.idp_client_id = std::move(o.idp_client_id);
    p.idp_client_secret = std::move(o.idp_client_secret);
    p.client_id = std::move(o.client_id);
    p.client_secret = std::move(o.client_secret);
    p.issuer = o.issuer.url();
    out->assertion = [id_token = std::move(o.id_token)](const std::string&) { return id_token(); };
    return out;
}

}  // namespace tenon::auth
