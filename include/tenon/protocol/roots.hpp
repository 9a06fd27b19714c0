// Roots: the folders of the client in which a server may work.
// https://modelcontextprotocol.io/specification/2025-11-25/client/roots
#pragma once

#include <string>

#pragma GCC visibility push(default)

namespace tenon {

/// One folder.
struct Root {
    std::string uri;  ///< a file: URI
    std::string name = {};
};

}  // namespace tenon

#pragma GCC visibility pop
