// Schemas that would call themselves for ever on the same value, such as {"$ref": "#"}.
#pragma once

#include "schema/program.hpp"

namespace tenon::schema {

/// A node on such a loop, or no_node.
NodeId find_endless_loop(const Program& program);

}  // namespace tenon::schema
