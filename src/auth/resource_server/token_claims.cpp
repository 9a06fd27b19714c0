// Reads the claims of a JWT, and the same members of an introspection response.
#include "auth/parse_object.hpp"
#include "auth/resource_server/token.hpp"
#include "auth/scopes.hpp"

namespace tenon::auth {
namespace {

bool names(const json::value* audience, std::string_view us) {
    if (!audience) return false;
    if (audience->is_string()) return audience->get_string() == us;
    if (!audience->is_array()) return false;
    for (const json::value& one : audience->get_array())
        if (one.is_string() && one.get_string() == us) return true;
    return false;
}

// Reads `scope`, the standard name, and `scp`, an older name that some issuers use.
ScopeSet scopes_of(const json::object& claims) {
    ScopeSet scopes;
    for (const char* name : {"scope", "scp"}) {
        auto texts =
            json::list_member(claims, name).value_or(client::Scopes{std::string(json::text_member(claims, name))});
        for (const std::string& text : texts)
            for (std::string& scope : client::parse_scopes(text)) scopes.insert(std::move(scope));
    }
    return scopes;
}

// Returns false when the claim exists but is not a number.
bool read_time(const json::object& claims, std::string_view name, std::optional<double>& out) {
    const json::value* v = claims.if_contains(name);
    if (!v) return true;
    if (!v->is_number()) return false;
    out = v->to_number<double>();
    return true;
}

// Reads the thumbprint of the key that the token is bound to. Returns false for another kind of binding, because it
// cannot be checked here.
bool read_key(const json::object& claims, std::string& key) {
    const json::value* confirmation = claims.if_contains("cnf");
    if (!confirmation) return true;
    if (confirmation->is_object()) key = json::text_member(confirmation->get_object(), "jkt");
    return !key.empty();
}

ReadToken read(const json::object& claims, const Expected& expected) {
    Token token;
    if (!names(claims.if_contains("aud"), expected.audience)) return BadToken{"the token is for another audience"};
    if (!read_time(claims, "exp", token.expires) || !read_time(claims, "nbf", token.not_before))
        return BadToken{"a time in the token is not a number"};
    if (!read_key(claims, token.key))
        return BadToken{"the token is bound by a method that this server does not support"};
    token.scopes = scopes_of(claims);
    token.claims = std::make_shared<const json::object>(claims, json::storage_ptr());
    return token;
}

}  // namespace

// The principal is "ISSUER#SUBJECT". This is unambiguous, because an issuer has no fragment and no query.
ReadToken read_claims(const json::object& claims, const Expected& expected) {
    if (json::text_member(claims, "iss") != expected.issuer) return BadToken{"the token is of another issuer"};
    const std::string subject(json::text_member(claims, "sub"));
    if (subject.empty()) return BadToken{"the token has no subject"};
    auto out = read(claims, expected);
    auto* token = std::get_if<Token>(&out);
    if (!token) return out;
    if (!token->expires) return BadToken{"the token never expires"};
    token->principal = expected.issuer + "#" + subject;
    return out;
}

ReadToken read_introspection(const json::object& answer, const Expected& expected) {
    const json::value* active = answer.if_contains("active");
    if (!active || *active != true) return BadToken{"the token is expired, revoked, or was never given out"};
    if (answer.contains("iss") && json::text_member(answer, "iss") != expected.issuer)
        return BadToken{"the token is of another issuer"};
    auto out = read(answer, expected);
    auto* token = std::get_if<Token>(&out);
    if (!token) return out;
    const std::string subject(json::text_member(answer, "sub")), client(json::text_member(answer, "client_id"));
    if (subject.empty() && client.empty()) return BadToken{"the token has no subject"};
    token->principal = expected.issuer + (subject.empty() ? "?client=" + client : "#" + subject);
    return out;
}

std::optional<BadToken> check_times(const Token& token, const Expected& expected, WallTime now) {
    const double seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
    const auto leeway = static_cast<double>(expected.leeway.count());
    // The conditions are negated so that NaN is refused too.
    if (token.expires && !(seconds < *token.expires + leeway)) return BadToken{"the token is expired"};
    if (token.not_before && !(seconds + leeway >= *token.not_before)) return BadToken{"the token is not valid yet"};
    return std::nullopt;
}

}  // namespace tenon::auth
