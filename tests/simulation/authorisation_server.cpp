#include "simulation/authorisation_server.hpp"

#include "auth/form.hpp"
#include "base/base64.hpp"
#include "jose/digest.hpp"
#include "jose/jws.hpp"
#include "web/url.hpp"

namespace tenon::test {
namespace {

using auth::client::field_of;
using auth::client::parse_form;

constexpr std::string_view query_mark = "?";

}  // namespace

AuthorisationServer::AuthorisationServer(Agenda& agenda, Dice& dice, Network& network, Oracle& oracle,
                                         std::string resource)
    : agenda_(agenda), dice_(dice), oracle_(oracle), resource_(std::move(resource)) {
    network.listen(std::string(host), [this](std::unique_ptr<HttpSocket> socket) {
        const auto respond = [this](const framing::HttpRequest& head, const std::string& body) {
            return answer(head, body);
        };
        std::make_shared<PlainConnection>(agenda_, std::move(socket), respond)->serve();
    });
}

std::int64_t AuthorisationServer::seconds(TimePoint now) {
    return first_second + std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
}

// Making keys is slow, so all worlds use the same ones.
const std::vector<jose::PrivateKey>& AuthorisationServer::keys() {
    static const std::vector<jose::PrivateKey> out = [] {
        std::vector<jose::PrivateKey> made;
        for (const char* id : {"k1", "k2", "k3"}) {
            json::object jwk = jose::PrivateKey::generate(jose::Algorithm::es256).jwk();
            jwk["kid"] = id;
            made.push_back(jose::PrivateKey::from_jwk(jwk).value());
        }
        return made;
    }();
    return out;
}

std::string AuthorisationServer::metadata() const {
    return json::write(json::object{{"issuer", issuer()},
                                    {"authorization_endpoint", issuer() + "/authorize"},
                                    {"token_endpoint", issuer() + "/token"},
                                    {"registration_endpoint", issuer() + "/register"},
                                    {"jwks_uri", issuer() + "/keys"},
                                    {"code_challenge_methods_supported", json::array{"S256"}},
                                    {"token_endpoint_auth_methods_supported", json::array{"none"}},
                                    {"authorization_response_iss_parameter_supported", true}});
}

std::string AuthorisationServer::key_set() const {
    return json::write(json::object{{"keys", json::array{keys()[key_].public_key().jwk()}}});
}

AuthorisationServer::Response AuthorisationServer::answer(const framing::HttpRequest& head, const std::string& body) {
    Response out = respond(head, body);
    out.wait = std::chrono::milliseconds(dice_.below(agenda_.now() < slow_until_ ? 20'000 : 50));
    return out;
}

AuthorisationServer::Response AuthorisationServer::respond(const framing::HttpRequest& head, const std::string& body) {
    if (agenda_.now() < fails_until_) return {500, R"({"error":"server_error"})"};
    if (head.path == "/.well-known/oauth-authorization-server") return {200, metadata()};
    if (head.path == "/keys") return {200, key_set()};
    if (head.path == "/register") return {201, R"({"client_id":"client-)" + std::to_string(++clients_) + "\"}"};
    if (head.path == "/token") return give_tokens(body);
    return {404, "{}"};
}

std::string AuthorisationServer::agree(const std::string& page, std::size_t owner) {
    const auto query = parse_form(page.substr(page.find(query_mark) + 1)).value();
    Grant grant{owner, field_of(query, "scope"), field_of(query, "code_challenge"), field_of(query, "redirect_uri"),
                field_of(query, "client_id")};
    oracle_.require(field_of(query, "resource") == resource_, "the client asks for a token for another resource");
    const std::string code = Mark::make(owner, dice_), to = grant.redirect_uri;
    codes_[code] = std::move(grant);
    return to + "?code=" + code + "&state=" + field_of(query, "state") + "&iss=" + issuer();
}

AuthorisationServer::Response AuthorisationServer::give_tokens(const std::string& form) {
    const auto fields = parse_form(form).value();
    const Response refused{400, R"({"error":"invalid_grant"})"};
    if (field_of(fields, "grant_type") == "refresh_token") {
        const auto grant = refresh_.extract(field_of(fields, "refresh_token"));
        return grant ? tokens_for(grant.mapped()) : refused;
    }
    const auto grant = codes_.extract(field_of(fields, "code"));
    if (!grant) return refused;
    const std::string proof = base::base64url_encode(jose::sha256(field_of(fields, "code_verifier")));
    oracle_.require(proof == grant.mapped().challenge, "the client sends a wrong code verifier");
    return tokens_for(grant.mapped());
}

AuthorisationServer::Response AuthorisationServer::tokens_for(Grant grant) {
    const std::int64_t now = seconds(agenda_.now());
    const json::object claims{{"iss", issuer()},
                              {"aud", resource_},
                              {"sub", "user-" + std::to_string(grant.owner)},
                              {"exp", now + token_seconds},
                              {"iat", now},
                              {"jti", std::to_string(++tokens_)},
                              {"client_id", grant.client_id},
                              {"scope", grant.scope}};
    const std::string access = jose::sign(keys()[key_], {{"typ", "at+jwt"}}, json::write(claims));
    const std::string refresh = Mark::make(grant.owner, dice_);
    oracle_.issued(access, grant.owner, web::parse_url(resource_).value().host);
    const json::object out{{"access_token", access},
                           {"refresh_token", refresh},
                           {"token_type", "Bearer"},
                           {"expires_in", token_seconds},
                           {"scope", grant.scope}};
    refresh_[refresh] = std::move(grant);
    return {200, json::write(out)};
}

}  // namespace tenon::test
