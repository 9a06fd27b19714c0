// Rules for URL elicitations, whichever side checks them. See also root_rules.hpp and sampling_rules.hpp.
#pragma once

#include <optional>
#include <string_view>

#include <tenon/error.hpp>

namespace tenon::protocol {

/// Returns an error unless `url` is an absolute http or https URL with a host, for a URL elicitation.
std::optional<Error> wrong_page_url(std::string_view url);

}  // namespace tenon::protocol
