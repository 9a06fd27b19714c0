// Lists of a server, as they came.
#pragma once

#include "session.hpp"

namespace tenon::program {

/// The entries of all pages: of `method` "tools/list" the member `key` "tools". Throws Failure.
json::array whole_list(Session& session, const std::string& method, std::string_view key);

/// Throws Failure with a suggestion when the server has no such tool.
Tool find_tool(Session& session, const std::string& name);

/// A result without what only the revision of the protocol needs: the same for scripts, whatever the server speaks.
json::object without_envelope(json::value result);

}  // namespace tenon::program
