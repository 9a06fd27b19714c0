// What holds for every list that a server has: tools, resources, templates, prompts.
#pragma once

#include "check/probe.hpp"

namespace tenon::check {

/// No two entries have the same member `key`.
Verdict unique(const Listing& listing, std::string_view key, std::string_view what);
/// The pages come to an end.
Verdict ends(const Listing& listing);
/// A cursor that the server never gave is -32602.
Verdict refuses_cursor(Probe& probe, const Listing& listing, std::string_view method);
/// Asked again, the first page is the same.
Verdict same_twice(Probe& probe, const Listing& listing, std::string_view method, std::string_view member);

}  // namespace tenon::check
