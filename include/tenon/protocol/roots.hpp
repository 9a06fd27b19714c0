// Roots: the places of the client's file system that a server may work in.
// https://modelcontextprotocol.io/specification/2025-11-25/client/roots
#pragma once

#include <string>

namespace tenon {

struct Root {
    std::string uri;  ///< a file: URI
    std::string name = {};
};

}  // namespace tenon
