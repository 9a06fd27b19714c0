#include "auth/token.hpp"

namespace tenon::auth {
namespace {

const std::string* as_text(const json::value* v, std::string& room) {
    if (!v || !v->is_string()) return nullptr;
    room = std::string(v->get_string());
    return &room;
}

std::optional<std::string> text(const json::object& o, std::string_view name) {
    std::string room;
    const std::string* s = as_text(o.if_contains(name), room);
    return s ? std::optional(*s) : std::nullopt;
}

bool names(const json::value* audience, std::string_view us) {
    if (!audience) return false;
    if (audience->is_string()) return audience->get_string() == us;
    if (!audience->is_array()) return false;
    for (const json::value& one : audience->get_array())
        if (one.is_string() && one.get_string() == us) return true;
    return false;
}

void add_words(ScopeSet& scopes, std::string_view words) {
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (end > 0) scopes.emplace(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
}

// `scope` by the standards, `scp` by some who were there before them.
ScopeSet scopes_of(const json::object& claims) {
    ScopeSet scopes;
    for (const char* name : {"scope", "scp"}) {
        const json::value* v = claims.if_contains(name);
        if (v && v->is_string()) add_words(scopes, v->get_string());
        if (!v || !v->is_array()) continue;
        for (const json::value& one : v->get_array())
            if (one.is_string()) add_words(scopes, one.get_string());
    }
    return scopes;
}

// False when it is there and no number.
bool read_time(const json::object& claims, std::string_view name, std::optional<double>& out) {
    const json::value* v = claims.if_contains(name);
    if (!v) return true;
    if (!v->is_number()) return false;
    out = v->to_number<double>();
    return true;
}

// The thumbprint of the key that the token is bound to. A binding of another kind is one that we cannot check.
bool read_key(const json::object& claims, std::string& key) {
    const json::value* confirmation = claims.if_contains("cnf");
    if (!confirmation) return true;
    const auto thumbprint = confirmation->is_object() ? text(confirmation->get_object(), "jkt") : std::nullopt;
    if (!thumbprint || thumbprint->empty()) return false;
    key = *thumbprint;
    return true;
}

ReadToken read(const json::object& claims, const Expected& expected) {
    Token token;
    if (!names(claims.if_contains("aud"), expected.audience)) return BadToken{"the token is for another audience"};
    if (!read_time(claims, "exp", token.expires) || !read_time(claims, "nbf", token.not_before))
        return BadToken{"the token has a time that is no number"};
    if (!read_key(claims, token.key)) return BadToken{"the token is bound in a way that this server does not know"};
    token.scopes = scopes_of(claims);
    return token;
}

}  // namespace

// An issuer has neither a fragment nor a query, so that what follows cannot be mistaken for a part of it.
ReadToken read_claims(const json::object& claims, const Expected& expected) {
    if (text(claims, "iss") != expected.issuer) return BadToken{"the token is of another issuer"};
    const auto subject = text(claims, "sub");
    if (!subject || subject->empty()) return BadToken{"the token has no subject"};
    auto out = read(claims, expected);
    auto* token = std::get_if<Token>(&out);
    if (!token) return out;
    if (!token->expires) return BadToken{"the token never expires"};
    token->principal = expected.issuer + "#" + *subject;
    return out;
}

ReadToken read_introspection(const json::object& answer, const Expected& expected) {
    const json::value* active = answer.if_contains("active");
    if (!active || *active != true) return BadToken{"the token is expired, revoked, or was never given out"};
    if (answer.contains("iss") && text(answer, "iss") != expected.issuer)
        return BadToken{"the token is of another issuer"};
    auto out = read(answer, expected);
    auto* token = std::get_if<Token>(&out);
    if (!token) return out;
    const std::string subject = text(answer, "sub").value_or(""), client = text(answer, "client_id").value_or("");
    if (subject.empty() && client.empty()) return BadToken{"the token has no subject"};
    token->principal = expected.issuer + (subject.empty() ? "?client=" + client : "#" + subject);
    return out;
}

std::optional<BadToken> check_times(const Token& token, const Expected& expected, WallTime now) {
    const double seconds = std::chrono::duration<double>(now.time_since_epoch()).count();
    const auto leeway = static_cast<double>(expected.leeway.count());
    // Written so that what is no number at all is refused too.
    if (token.expires && !(seconds < *token.expires + leeway)) return BadToken{"the token is expired"};
    if (token.not_before && !(seconds + leeway >= *token.not_before)) return BadToken{"the token is not valid yet"};
    return std::nullopt;
}

}  // namespace tenon::auth
