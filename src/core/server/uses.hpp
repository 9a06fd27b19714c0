// Finds the registered tools, resources, prompts and methods that a request names, for authorisation.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/server/features.hpp"
#include "core/server/use.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::core {

inline Use use_of(const Tool& tool) { return {UseKind::tool, tool.name}; }
inline Use use_of(const Resource& resource) { return {UseKind::resource, resource.uri}; }
inline Use use_of(const ResourceTemplate& t) { return {UseKind::resource, t.uriTemplate}; }
inline Use use_of(const Prompt& prompt) { return {UseKind::prompt, prompt.name}; }
inline Use use_of(const MethodEntry& method) { return {UseKind::method, method.name}; }

/// Returns the use of a resource: the one with exactly this URI, or else the first template that matches. Nullopt when
/// nothing matches.
std::optional<Use> use_of_resource(const Features& features, std::string_view uri);

/// Returns the registered features that a request names, for any revision. Skips unknown and malformed names: the
/// method itself refuses those.
std::vector<Use> uses_of(std::string_view method, const json::object& params, const Features& features);

}  // namespace tenon::core

#pragma GCC visibility pop
