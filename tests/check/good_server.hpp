// The server that mutants are made of: small, with one of everything, and right.
#pragma once

#include <tenon/server.hpp>

#include "check/mutant.hpp"

namespace tenon::check::mutant {

Server good_server();

/// Makes of a request what a server of that revision alone would serve: no other is spoken.
void as_revision(Passing& p, std::string_view revision);

}  // namespace tenon::check::mutant
