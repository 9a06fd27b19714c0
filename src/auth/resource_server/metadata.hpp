// The metadata of a protected server (RFC 9728): names the authorisation server that issues its tokens.
#pragma once

#include <string>

#include <tenon/auth/resource_server.hpp>

namespace tenon::auth {

/// Returns the URL of the server, as its clients know it.
const std::string& resource_of(const ResourceServer& options);

struct ResourceMetadata {
    std::string url;   ///< where clients find it
    std::string path;  ///< path of that URL: /.well-known/oauth-protected-resource and the path of the resource
    std::string host;  ///< host of the resource, with a port unless it is the default: the Host field of clients
    std::string document;
};
/// Makes the metadata. Throws Exception when an option is invalid.
ResourceMetadata describe(const ResourceServer& options);

inline constexpr std::string_view metadata_root = "/.well-known/oauth-protected-resource";

}  // namespace tenon::auth
