// Opens a page in the user's browser.
#pragma once

#include <string>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

/// Starts $BROWSER, or the opener of the system, with the URL as one argument, without a shell. Returns false when no
/// browser can be started or the URL is not http or https.
bool open_url(const std::string& url);

}  // namespace tenon::io

#pragma GCC visibility pop
