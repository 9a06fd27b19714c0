// The gate of a protected server: who sends a request, by what its head brings, and the answers to who may not enter.
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

/// Who was let in. Never changes.
struct Caller {
    std::string principal;
    ScopeSet scopes = {};    // with what they include
    std::string nonce = {};  // a new DPoP nonce to tell, when the one that was used is an old one
    bool dpop = false;
};
using CallerPtr = std::shared_ptr<const Caller>;

/// What the head of a request brings.
struct Credentials {
    std::string_view token;
    bool dpop = false;
};

/// Only what is const may be called by several threads at once.
class TokenGate {
 public:
    /// Throw Exception when an option cannot be meant so. The secret makes nonces.
    TokenGate(const ResourceServer& options, const DpopNonces::Secret& secret);
    explicit TokenGate(const StaticTokens& options);

    /// The token of a request, or the answer to one that brings none, or brings it in a wrong way.
    std::variant<Credentials, web::Response> read(const framing::HttpRequest& head) const;
    TokenChecker& checker() { return *checker_; }
    /// Remembers a proof.
    ReplayCache::Seen see(const Proof& proof, WallTime now);

    using See = std::function<ReplayCache::Seen(const Proof&)>;
    /// Lets in who brings a good token, if it has the key that the token is bound to, and the scopes that all need.
    std::variant<CallerPtr, web::Response> admit(const framing::HttpRequest& head, const Credentials& credentials,
                                                 const Token& token, WallTime now, const See& see) const;
    web::Response refuse(const framing::HttpRequest& head, const Credentials& credentials, const BadToken& why) const;
    web::Response cannot_check(const framing::HttpRequest& head) const;
    web::Response too_many_proofs(const framing::HttpRequest& head) const;

    core::MayUse may_use(const CallerPtr& caller) const;
    /// The answer to somebody who lacks a scope for that.
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
