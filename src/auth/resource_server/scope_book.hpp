// Which scopes something needs, and who has them.
#pragma once

#include <string>

#include <tenon/auth/resource_server.hpp>

#include "auth/resource_server/token.hpp"
#include "core/server/uses.hpp"

namespace tenon::auth {

/// Thread-safe, as it never changes.
class ScopeBook {
 public:
    /// Throws Exception when a scope is none (RFC 6749, section 3.3).
    ScopeBook(Scopes base, ScopeRules rules);

    /// What every request needs.
    const Scopes& base() const { return base_; }
    /// What the use of these needs, with what every request does; each once.
    Scopes needed(const std::vector<core::Use>& uses) const;
    bool allows(const ScopeSet& has, const core::Use& use) const;
    /// With all that the broader ones include.
    ScopeSet widened(const ScopeSet& scopes) const;
    static bool has_all(const ScopeSet& has, const Scopes& needed);
    /// The rules that name nothing that is registered: likely a slip, which protects nothing.
    std::vector<std::string> idle_rules(const core::Features& features) const;

 private:
    const Scopes& rule(const core::Use& use) const;

    const Scopes base_;
    const ScopeRules rules_;
};

}  // namespace tenon::auth
