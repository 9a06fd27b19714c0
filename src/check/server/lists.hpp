// Checks for all lists: tools, resources, templates, prompts.
#pragma once

#include "check/server/probe.hpp"

namespace tenon::check {

/// Checks that no two entries have the same member `key`.
Verdict unique(const Listing& listing, std::string_view key, std::string_view what);
/// Checks that the pages come to an end.
Verdict ends(const Listing& listing);
/// Checks that an invented cursor gets -32602.
Verdict refuses_cursor(Probe& probe, const Listing& listing, std::string_view method);
/// Checks that the first page has the same entries in the same order when requested again. `key` names an entry.
Verdict same_twice(Probe& probe, const Listing& listing, std::string_view method, std::string_view member,
                   std::string_view key);
/// Returns whether a template of the list may produce this URI: the text before its first variable is the same.
bool has_template_for(const Listing& templates, std::string_view uri);

}  // namespace tenon::check
