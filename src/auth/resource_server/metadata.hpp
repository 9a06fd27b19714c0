// What a protected server says about itself (RFC 9728): which authorisation server gives out its tokens.
#pragma once

#include <string>

#include <tenon/auth/resource_server.hpp>

namespace tenon::auth {

/// The URL of the server, as its clients know it.
const std::string& resource_of(const ResourceServer& options);

struct ResourceMetadata {
    std::string url;   ///< where clients find it
    std::string path;  ///< of that URL: /.well-known/oauth-protected-resource and the path of the resource
    std::string host;  ///< of the resource, with the port where it is not the usual one: what clients say in Host
    std::string document;
};
/// Throws Exception when an option cannot be meant so.
ResourceMetadata describe(const ResourceServer& options);

inline constexpr std::string_view metadata_root = "/.well-known/oauth-protected-resource";

}  // namespace tenon::auth
