#include "auth/client/record.hpp"

#include "auth/parse_object.hpp"

namespace tenon::auth::client {
namespace {

std::string text(const json::object& o, std::string_view name) { return std::string(json::text_member(o, name)); }

json::object written(const Identity& i) {
    return {{"client_id", i.client_id},
            {"client_secret", i.client_secret},
            {"auth_method", i.auth_method},
            {"redirect_uri", i.redirect_uri},
            {"secret_expires_at", i.secret_expires_at}};
}

Identity read_identity(const json::object& o) {
    return {text(o, "client_id"), text(o, "client_secret"), text(o, "auth_method"), text(o, "redirect_uri"),
            json::integer_member(o, "secret_expires_at").value_or(0)};
}

json::object written(const Tokens& t) {
    return {{"access_token", t.access_token},
            {"dpop", t.dpop},
            {"refresh_token", t.refresh_token},
            {"scope", t.scope},
            {"expires_at", t.expires_at}};
}

Tokens read_stored_tokens(const json::object& o) {
    return {text(o, "access_token"), json::flag_member(o, "dpop"), text(o, "refresh_token"), text(o, "scope"),
            json::integer_member(o, "expires_at").value_or(0)};
}

}  // namespace

void Record::forget_tokens() {
    issuer.clear(), token_endpoint.clear(), resource.clear(), scopes.clear();
    tokens = {};
}

void Record::remember(const std::string& of_issuer, Identity identity) {
    identities[of_issuer] = std::move(identity);
    for (auto it = identities.begin(); identities.size() > max_identities && it != identities.end();)
        it = it->first == of_issuer ? std::next(it) : identities.erase(it);
}

std::string write_record(const Record& r) {
    json::object identities;
    for (const auto& [issuer, identity] : r.identities) identities[issuer] = written(identity);
    return json::write(json::object{{"issuer", r.issuer},
                                    {"token_endpoint", r.token_endpoint},
                                    {"resource", r.resource},
                                    {"scope", write_scopes(r.scopes)},
                                    {"tokens", written(r.tokens)},
                                    {"dpop_key", r.dpop_key},
                                    {"clients", std::move(identities)}});
}

Record read_record(std::string_view text) {
    const auto o = parse_object(text, "");
    Record out;
    if (!o) return out;
    out.issuer = json::text_member(*o, "issuer");
    out.token_endpoint = json::text_member(*o, "token_endpoint");
    out.resource = json::text_member(*o, "resource");
    out.scopes = parse_scopes(json::text_member(*o, "scope"));
    out.tokens = read_stored_tokens(json::object_member(*o, "tokens"));
    out.dpop_key = json::text_member(*o, "dpop_key");
    for (const auto& [issuer, identity] : json::object_member(*o, "clients")) {
        if (out.identities.size() == max_identities) break;
        if (identity.is_object()) out.identities[std::string(issuer)] = read_identity(identity.get_object());
    }
    return out;
}

}  // namespace tenon::auth::client
