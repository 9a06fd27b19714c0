// Shows the progress and the result of a tool call.
#pragma once

#include <string>

#include <tenon/client_options.hpp>
#include <tenon/protocol/tools.hpp>

#include "console.hpp"
#include "content.hpp"
#include "settings.hpp"

namespace tenon::program {

/// Returns the options with a progress bar, unless --quiet is given or standard error is not a terminal.
CallOptions with_progress(CallOptions options, const Settings& settings, Console& console);

/// Shows a result to people, or as JSON with --json. `name` is the tool. Returns the exit status.
Status show_result(const ToolResult& result, const std::string& name, const Settings& settings, Keeper& keeper,
                   Console& console);

/// Shows a raw result as one line of JSON. Returns the exit status.
Status show_json_result(json::object result, Console& console);

}  // namespace tenon::program
