// One feature that a request uses, for access decisions.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace tenon::core {

enum class UseKind { tool, resource, prompt, method };

/// One feature that a request names. `key` is the key of its registration: a name, a URI, a URI template or a method.
/// It points into the features. `uri` is the URI that matched a template; it points into the parameters.
struct Use {
    UseKind kind;
    std::string_view key;
    std::string_view uri = {};

    /// Returns the URI of a resource, or else the key.
    std::string_view name() const { return uri.empty() ? key : uri; }
};

/// Returns whether the sender of a message may use a feature. Features that it may not use are also hidden from lists.
/// An empty function allows everything.
using MayUse = std::function<bool(const Use&)>;

}  // namespace tenon::core
