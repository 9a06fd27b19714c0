// Fetches the lists of a server.
#pragma once

#include "session.hpp"

namespace tenon::program {

/// Returns the entries of all pages, unchanged. `method` is for example "tools/list", and `key` is "tools". Throws
/// Failure.
json::array whole_list(Session& session, const std::string& method, std::string_view key);

/// Finds a tool or a prompt by its name. Throws Failure, with a suggestion, when the server has none with this name.
Tool find_tool(Session& session, const std::string& name);
Prompt find_prompt(Session& session, const std::string& name);

/// Removes the members that depend on the protocol revision. So scripts get the same result from every server.
json::object without_envelope(json::value result);

}  // namespace tenon::program
