// Rules for the content of questions and of their answers, whichever side checks them.
#pragma once

#include <optional>
#include <string_view>

#include <tenon/error.hpp>
#include <tenon/protocol/roots.hpp>
#include <tenon/protocol/sampling.hpp>

namespace tenon::protocol {

/// Returns an error unless `url` is an absolute http or https URL with a host, for a URL elicitation.
std::optional<Error> wrong_page_url(std::string_view url);

/// Returns an error unless each tool use of the conversation is answered in the next message. That message is from the
/// user, and has exactly one result for each tool use, and nothing else.
std::optional<Error> unbalanced_tool_use(const SampleRequest& request);

/// Returns an error unless the URI of the root begins with file:// and has no path traversal.
std::optional<Error> wrong_root(const Root& root);

}  // namespace tenon::protocol
