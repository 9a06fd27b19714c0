// The correct server that the mutants change: small, with one of every feature.
#pragma once

#include <tenon/server.hpp>

#include "check/mutant.hpp"

namespace tenon::check::mutant {

Server good_server();

/// Changes a request as if the server supported only this revision.
void as_revision(Passing& p, std::string_view revision);

}  // namespace tenon::check::mutant
