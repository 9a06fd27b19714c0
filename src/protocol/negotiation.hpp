// Chooses the revision of a session.
#pragma once

#include "protocol/versions.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::protocol {

/// Returns the requested revision if it is supported and has a handshake, else the newest with a handshake (LIFE-8).
Revision negotiate(std::string_view asked);

}  // namespace tenon::protocol

#pragma GCC visibility pop
