// The gate of a protected server: finds the caller from the head of a request, and makes the responses for callers that
// are refused.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "auth/resource_server/dpop_verify.hpp"
#include "auth/resource_server/metadata.hpp"
#include "auth/resource_server/scope_book.hpp"
#include "auth/resource_server/token.hpp"
#include "framing/http_request.hpp"
#include "web/response_writer.hpp"

namespace tenon::auth {

/// A caller with a valid token. Immutable.
struct Caller {
    std::string principal;
    ScopeSet scopes = {};    // including the scopes that they imply
    std::string nonce = {};  // a new DPoP nonce for the response, when the caller used an old one; otherwise empty
    bool dpop = false;
    std::shared_ptr<const json::object> claims = {};  // shared with the token; null: it has none
};
using CallerPtr = std::shared_ptr<const Caller>;

/// The token in the head of a request. A view into that head.
struct Credentials {
    std::string_view token;
    bool dpop = false;
};

/// Const functions are thread-safe; the others need a lock. The gate must outlive the functions of may_use().
class TokenGate {
 public:
    /// Throw Exception when an option is invalid. `secret` is the key of this process, and the key of nonces unless
    /// `nonce_secrets` has others.
    TokenGate(const ResourceServer& options, const DpopNonces::Secret& secret, DpopNonces::Secrets nonce_secrets = {});
    explicit TokenGate(const StaticTokens& options);

    /// Returns the token of a request, or a refusal when the token is missing or malformed.
    std::variant<Credentials, web::Response> read(const framing::HttpRequest& head) const;
    TokenChecker& checker() { return *checker_; }
    /// Remembers a DPoP proof, and returns whether it was used before.
    ReplayCache::Seen see(const Proof& proof, WallTime now);
    /// Returns how long a proof stays valid, by this clock.
    std::chrono::milliseconds lifetime(const Proof& proof, WallTime now) const;

    using See = std::function<ReplayCache::Seen(const Proof&)>;
    /// Admits the sender of a verified token. Checks the DPoP proof if the token is bound to a key, and the scopes that
    /// every request needs. Calls `see` to remember the proof.
    std::variant<CallerPtr, web::Response> admit(const framing::HttpRequest& head, const Credentials& credentials,
                                                 const Token& token, WallTime now, const See& see) const;
    web::Response refuse(const framing::HttpRequest& head, const Credentials& credentials, const BadToken& why) const;
    web::Response cannot_check(const framing::HttpRequest& head) const;
    web::Response too_many_proofs(const framing::HttpRequest& head) const;

    core::MayUse may_use(const CallerPtr& caller) const;
    /// Returns a refusal if the caller lacks a scope for these uses.
    std::optional<web::Response> refuse_uses(const Caller& caller, const std::vector<core::Use>& uses) const;

    const ScopeBook& scopes() const { return book_; }
    const std::optional<ResourceMetadata>& metadata() const { return metadata_; }
    const ResourceLimits& limits() const { return limits_; }

 private:
    struct Refusal {
        int status = 401;
        bool dpop = false;
        std::string_view error = {};
        std::string why = {};
        Scopes scopes = {};
        std::string nonce = {};
    };
    web::Response answer(Refusal refusal, web::Fields fields) const;
    std::variant<std::string, web::Response> check_proof(const framing::HttpRequest& head,
                                                         const Credentials& credentials, const Token& token,
                                                         WallTime now, const See& see) const;

    const ScopeBook book_;
    std::unique_ptr<TokenChecker> checker_;
    std::optional<ResourceMetadata> metadata_;
    ResourceLimits limits_;
    // DPoP
    std::string resource_, origin_;
    bool dpop_ = false, dpop_required_ = false;
    std::chrono::seconds leeway_{0};
    std::optional<DpopNonces> nonces_;
    ReplayCache proofs_;
};

}  // namespace tenon::auth
