#include "auth/resource_server/token_gate.hpp"

#include <algorithm>

#include "auth/metadata.hpp"
#include "auth/resource_server/challenge.hpp"
#include "auth/resource_server/token_introspection.hpp"
#include "auth/resource_server/token_jwt.hpp"
#include "auth/resource_server/token_static.hpp"
#include "auth/scopes.hpp"
#include "base/uri.hpp"
#include "jose/digest.hpp"
#include "jose/jws.hpp"
#include "web/entry_rules.hpp"
#include "web/response.hpp"
#include "web/url.hpp"

namespace tenon::auth {

using framing::HttpRequest;
using web::Response;

namespace {

// The syntax of RFC 6750: letters, digits, some punctuation, and padding.
bool is_token(std::string_view s) {
    const auto is_letter = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view("-._~+/").find(c) != std::string_view::npos;
    };
    while (s.ends_with('=')) s.remove_suffix(1);
    return !s.empty() && std::ranges::all_of(s, is_letter);
}

// Returns whether a query contains an access token. Such requests are refused, because URLs appear in logs and browser
// histories.
bool has_token(std::string_view query) {
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view name = query.substr(0, std::min(query.find('='), end));
        if (base::percent_decode(name) == "access_token") return true;
        query.remove_prefix(std::min(end + 1, query.size()));
    }
    return false;
}

// Derives a separate key from the secret, which nonces use too.
base::SipKey key_of_proofs(const DpopNonces::Secret& secret) {
    std::string in(reinterpret_cast<const char*>(secret.data()), secret.size());
    const std::string hash = jose::sha256(in + "proofs");
    base::SipKey key;
    std::copy_n(hash.begin(), key.size(), key.begin());
    return key;
}

std::unique_ptr<TokenChecker> make_checker(const ResourceServer& options) {
    return options.introspection ? make_introspection_checker(options) : make_jwt_checker(options);
}

}  // namespace

TokenGate::TokenGate(const ResourceServer& options, const DpopNonces::Secret& secret, DpopNonces::Secrets nonce_secrets)
    : book_(options.scopes, options.needs),
      metadata_(describe(options)),
      limits_(options.limits),
      resource_(resource_of(options)),
      origin_(client::origin_of(web::parse_url(resource_).value())),
      dpop_(true),
      dpop_required_(options.dpop == ResourceServer::Dpop::required),
      leeway_(options.leeway),
      proofs_({options.limits.max_proofs, options.limits.max_proofs_per_principal}, key_of_proofs(secret)) {
    checker_ = make_checker(options);
    if (!options.dpop_nonces) return;
    if (!nonce_secrets) nonce_secrets = [secret] { return std::vector{secret}; };
    nonces_.emplace(std::move(nonce_secrets), options.limits.nonce_time);
}

TokenGate::TokenGate(const StaticTokens& options)
    : book_({}, options.needs), checker_(make_static_checker(options)), proofs_({0, 0}, {}) {}

// ---- refusals

Response TokenGate::answer(Refusal r, web::Fields fields) const {
    const std::string scope = client::write_scopes(r.scopes);
    add_challenge(fields, {r.dpop, r.error, r.why, scope, metadata_ ? metadata_->url : std::string_view()});
    if (!r.nonce.empty()) fields.emplace_back("DPoP-Nonce", std::move(r.nonce));
    return web::refusal(r.status, std::move(r.why), std::move(fields));
}

Response TokenGate::refuse(const HttpRequest& head, const Credentials& credentials, const BadToken& bad) const {
    return answer({401, credentials.dpop, "invalid_token", bad.why, book_.base()}, web::cors_fields(head));
}

Response TokenGate::cannot_check(const HttpRequest& head) const {
    web::Fields fields = web::cors_fields(head);
    fields.emplace_back("Retry-After", "5");
    return web::refusal(503, "this server cannot check tokens at the moment; try again", std::move(fields));
}

Response TokenGate::too_many_proofs(const HttpRequest& head) const {
    web::Fields fields = web::cors_fields(head);
    fields.emplace_back("Retry-After", "5");
    return web::refusal(429,
                        "you have sent " + std::to_string(limits_.max_proofs_per_principal) +
                            " DPoP proofs that are still valid, which is the limit (max_proofs_per_principal); wait",
                        std::move(fields));
}

// ---- the head of a request

std::variant<Credentials, Response> TokenGate::read(const HttpRequest& head) const {
    const auto malformed = [&](std::string why) {
        return answer({400, false, "invalid_request", std::move(why)}, web::cors_fields(head));
    };
    if (has_token(head.query)) return malformed("a token must not be in a URL: send it in the Authorization header");
    if (head.fields.count("authorization") > 1) return malformed("send one Authorization header");
    const std::string_view value = head.fields.only("authorization").value_or("");
    const std::size_t space = std::min(value.find(' '), value.size());
    const std::string_view scheme = value.substr(0, space), rest = framing::trimmed(value.substr(space));
    const bool dpop = dpop_ && framing::equal_ignoring_case(scheme, "DPoP");
    if (!dpop && !framing::equal_ignoring_case(scheme, "Bearer"))
        return answer({401,
                       dpop_required_,
                       {},
                       "authentication is required: send an access token in the "
                       "Authorization header",
                       book_.base()},
                      web::cors_fields(head));
    const Credentials credentials{rest, dpop};
    if (!is_token(rest) || rest.size() > jose::max_jws_bytes)
        return refuse(head, credentials, {"the Authorization header has no token"});
    return credentials;
}

// ---- the token

ReplayCache::Seen TokenGate::see(const Proof& proof, WallTime now) {
    const auto lifetime = std::chrono::duration<double>(limits_.proof_time + leeway_).count();
    return proofs_.see(proof, proof.issued + lifetime, now);
}

std::chrono::milliseconds TokenGate::lifetime(const Proof& proof, WallTime now) const {
    const double age = std::chrono::duration<double>(now.time_since_epoch()).count() - proof.issued;
    const std::chrono::duration<double> left =
        std::chrono::duration<double>(limits_.proof_time + leeway_) - std::chrono::duration<double>(age);
    return std::chrono::ceil<std::chrono::milliseconds>(std::max(left, std::chrono::duration<double>(0)));
}

std::variant<std::string, Response> TokenGate::check_proof(const HttpRequest& head, const Credentials& credentials,
                                                           const Token& token, WallTime now, const See& see) const {
    const auto wrong = [&](std::string_view error, std::string why) {
        return answer({401, true, error, std::move(why), book_.base(), nonces_ ? nonces_->current(now) : ""},
                      web::cors_fields(head));
    };
    if (head.fields.count("dpop") != 1) return wrong("invalid_dpop_proof", "send one DPoP header");
    Proven proven{head.method, {resource_, origin_ + std::string(head.path)}, credentials.token, token.key};
    proven.max_age = limits_.proof_time;
    proven.leeway = leeway_;
    auto proof = read_proof(*head.fields.only("dpop"), proven, now);
    if (!proof) return wrong("invalid_dpop_proof", proof.error().message);
    if (nonces_ && !nonces_->accepts(proof->nonce, now))
        return wrong("use_dpop_nonce", "the DPoP proof needs the nonce in the DPoP-Nonce header");
    proof->owner = token.principal;
    switch (see(*proof)) {
        case ReplayCache::Seen::before: return wrong("invalid_dpop_proof", "the DPoP proof was used before");
        case ReplayCache::Seen::no_share: return too_many_proofs(head);
        case ReplayCache::Seen::no_room: return cannot_check(head);
        case ReplayCache::Seen::never: break;
    }
    const std::string current = nonces_ ? nonces_->current(now) : "";
    return current == proof->nonce ? "" : current;
}

std::variant<CallerPtr, Response> TokenGate::admit(const HttpRequest& head, const Credentials& credentials,
                                                   const Token& token, WallTime now, const See& see) const {
    Caller caller{token.principal, book_.widened(token.scopes), {}, credentials.dpop, token.claims};
    if (token.key.empty() && (credentials.dpop || dpop_required_))
        return refuse(head, {credentials.token, true}, {"the token is not bound to a key: ask for one with DPoP"});
    if (!token.key.empty() && !credentials.dpop)
        return refuse(head, {credentials.token, dpop_}, {"the token is bound to a key: send it with a DPoP proof"});
    if (credentials.dpop) {
        auto checked = check_proof(head, credentials, token, now, see);
        if (auto* refused = std::get_if<Response>(&checked)) return std::move(*refused);
        caller.nonce = std::get<std::string>(std::move(checked));
    }
    if (!ScopeBook::has_all(caller.scopes, book_.base())) {
        auto refused = refuse_uses(caller, {});
        for (auto& field : web::cors_fields(head)) refused->fields.push_back(std::move(field));
        return *std::move(refused);
    }
    return std::make_shared<const Caller>(std::move(caller));
}

// ---- scopes

core::MayUse TokenGate::may_use(const CallerPtr& caller) const {
    return [this, caller](const core::Use& use) { return book_.allows(caller->scopes, use); };
}

std::optional<Response> TokenGate::refuse_uses(const Caller& caller, const std::vector<core::Use>& uses) const {
    Scopes needed = book_.needed(uses);
    if (ScopeBook::has_all(caller.scopes, needed)) return std::nullopt;
    std::string why = "the token lacks scopes; the request needs " + client::write_scopes(needed);
    Response out = answer({403, caller.dpop, "insufficient_scope",
                           "the token lacks scopes: request the scopes named here", std::move(needed)},
                          {});
    out.why = std::move(why);  // for the audit; the client finds the scopes in WWW-Authenticate
    return out;
}

}  // namespace tenon::auth
