// What a request uses of what a server has registered, so that somebody can say who may use it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "core/server/features.hpp"

namespace tenon::core {

enum class UseKind { tool, resource, prompt };

/// `key` is as it was registered: a name, a URI or a URI template. It points into the features.
struct Use {
    UseKind kind;
    std::string_view key;
};

inline Use use_of(const Tool& tool) { return {UseKind::tool, tool.name}; }
inline Use use_of(const Resource& resource) { return {UseKind::resource, resource.uri}; }
inline Use use_of(const ResourceTemplate& t) { return {UseKind::resource, t.uriTemplate}; }
inline Use use_of(const Prompt& prompt) { return {UseKind::prompt, prompt.name}; }

/// Whether the sender of a message may use it; empty: everything. What it may not, it is not shown in lists either.
using MayUse = std::function<bool(const Use&)>;

/// Everything that a request of the client names, of any revision. What is not registered is not among it, and neither
/// is what the request does not name as it should: then it is refused for that.
std::vector<Use> uses_of(std::string_view method, const json::object& params, const Features& features);

}  // namespace tenon::core
