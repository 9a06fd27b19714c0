// Decides whether a caller may use a feature. The only place that decides: requests, lists, completions, subscriptions
// and notifications of updates all ask here.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <tenon/caller.hpp>
#include <tenon/error.hpp>

#include "core/server/use.hpp"

namespace tenon::core {

struct Features;

/// The access rules of the server's author. Runs user code, so it must not be called under a lock.
using AccessRules = std::function<bool(const Caller& caller, const Use& use, const json::object& params)>;

/// The features that the sender of one request may use.
struct Access {
    MayUse scopes = {};                             // of its token; empty: everything. Any thread may call it
    std::shared_ptr<const AccessRules> rules = {};  // null: there are none
    std::shared_ptr<const Caller> caller = {};

    /// Returns whether there may be a feature that the caller may not use.
    bool restricts() const { return scopes || rules; }
    bool allows(const Use& use) const;
    bool allows(const Use& use, const json::object& params) const;
};

/// Returns the error for a request that uses a feature which its sender may not use. A feature that an access rule
/// hides looks like one that does not exist. Uses that a request can do without are not an error: see hidden_uris().
std::optional<Error> access_error(const Access& access, std::string_view method, const json::object& params,
                                  const Features& features);

/// Returns the resources of `subscriptions/listen` that access rules hide from its sender.
std::set<std::string> hidden_uris(const Access& access, std::string_view method, const json::object& params,
                                  const Features& features);

}  // namespace tenon::core
