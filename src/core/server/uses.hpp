// Finds the registered tools, resources, prompts and methods that a request names, for authorisation.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/server/features.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::core {

enum class UseKind { tool, resource, prompt, method };

/// One feature that a request names. `key` is the key of its registration: a name, a URI, a URI template or a method.
/// It points into the features.
struct Use {
    UseKind kind;
    std::string_view key;
};

inline Use use_of(const Tool& tool) { return {UseKind::tool, tool.name}; }
inline Use use_of(const Resource& resource) { return {UseKind::resource, resource.uri}; }
inline Use use_of(const ResourceTemplate& t) { return {UseKind::resource, t.uriTemplate}; }
inline Use use_of(const Prompt& prompt) { return {UseKind::prompt, prompt.name}; }
inline Use use_of(const MethodEntry& method) { return {UseKind::method, method.name}; }

/// Returns whether the sender of a message may use a feature. Features that it may not use are also hidden from lists.
/// An empty function allows everything.
using MayUse = std::function<bool(const Use&)>;

/// Returns the registered features that a request names, for any revision. Skips unknown and malformed names: the
/// method itself refuses those.
std::vector<Use> uses_of(std::string_view method, const json::object& params, const Features& features);

}  // namespace tenon::core

#pragma GCC visibility pop
