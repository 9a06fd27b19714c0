// Shows a page in the user's browser.
#pragma once

#include <string>

namespace tenon::io {

/// Starts $BROWSER, or the system's opener, with the URL as one argument: no shell ever sees it. False when there is
/// none that can be started, or when it is no http or https URL.
bool open_url(const std::string& url);

}  // namespace tenon::io
