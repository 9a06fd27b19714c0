// tenon check --fleet: checks every server of an mcpServers file.
#pragma once

#include "check_options.hpp"
#include "command_line.hpp"
#include "console.hpp"
#include "report_formats.hpp"

namespace tenon::program {

/// Checks the servers one after the other. Asks first for every command that the user has never allowed, and starts
/// nothing before that. Throws Failure.
Status run_fleet(const CommandLine& line, const CheckRequest& request, Console& console);

/// Returns the exit status for all servers: a failure counts most, then a server that could not be checked.
Status status_of(const NamedVerdicts& verdicts);
/// Writes one table with a row for each server, and the new failures below it.
void write_fleet(Out& out, const NamedVerdicts& verdicts, Detail detail, Duration took);
/// Returns the document of --json.
json::object fleet_as_json(std::string_view file, const NamedVerdicts& verdicts);

}  // namespace tenon::program
