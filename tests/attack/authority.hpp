// The authorisation server of a victim that introspects tokens.
#pragma once

#include "support/scripted_server.hpp"

namespace attack {

/// Knows every token that begins with "innocent". It needs two seconds to find that a token is unknown.
void answer_introspection(tenon::test::ScriptedConnection& connection, int number);

}  // namespace attack
