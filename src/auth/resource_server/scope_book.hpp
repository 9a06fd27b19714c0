// Knows which scopes each tool, resource and prompt needs.
#pragma once

#include <string>

#include <tenon/auth/resource_server.hpp>

#include "auth/resource_server/token.hpp"
#include "core/server/uses.hpp"

namespace tenon::auth {

/// Immutable, so thread-safe.
class ScopeBook {
 public:
    /// Throws Exception when a scope is malformed (RFC 6749, section 3.3).
    ScopeBook(Scopes base, ScopeRules rules);

    /// Returns the scopes that every request needs.
    const Scopes& base() const { return base_; }
    /// Returns the scopes that these uses need, including base(), each once.
    Scopes needed(const std::vector<core::Use>& uses) const;
    bool allows(const ScopeSet& has, const core::Use& use) const;
    /// Returns the scopes and all scopes that they include (ScopeRules::implies).
    ScopeSet widened(const ScopeSet& scopes) const;
    static bool has_all(const ScopeSet& has, const Scopes& needed);
    /// Returns the rules for names that are not registered. Such a rule is probably a typing error and protects
    /// nothing.
    std::vector<std::string> idle_rules(const core::Features& features) const;

 private:
    const Scopes& rule(const core::Use& use) const;

    const Scopes base_;
    const ScopeRules rules_;
};

}  // namespace tenon::auth
