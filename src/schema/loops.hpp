// Finds schemas whose validation would never end, such as {"$ref": "#"}.
#pragma once

#include "schema/program.hpp"

namespace tenon::schema {

/// Returns a node on such a loop, or no_node.
NodeId find_endless_loop(const Program& program);

}  // namespace tenon::schema
