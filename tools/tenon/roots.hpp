// The folders of --root, as roots of the protocol.
#pragma once

#include <string>
#include <vector>

#include <tenon/protocol/roots.hpp>

namespace tenon::program {

/// Returns the folder as a file:// URI. Throws Failure when it is not a folder.
Root root_of(const std::string& folder);

}  // namespace tenon::program
