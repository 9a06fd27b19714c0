// scrape(): reads the metrics of a server, for `tenon top`.
#pragma once

#include <string>

#include <tenon/error.hpp>
#include <tenon/limits.hpp>

namespace tenon {

/// Returns the text that a URL serves, for example http://127.0.0.1:9464/metrics. Blocks for at most `time`. Any status
/// but 200 is an error, and so is a text of more than 16 MiB.
Result<std::string> scrape(const std::string& url, Duration time);

}  // namespace tenon
