// Reads and checks the options of `tenon check`.
#pragma once

#include <cstdint>
#include <string>

#include <tenon/check.hpp>

#include "command_line.hpp"
#include "console.hpp"
#include "report_terminal.hpp"
#include "target.hpp"

namespace tenon::program {

struct CheckRequest {
    check::Options options = {};
    bool client = false;  ///< check a client instead of a server
    bool json = false, quiet = false;
    Detail detail = Detail::normal;
    std::string junit = {}, sarif = {}, html = {};  ///< files; "-": standard output; empty: no report
    std::string baseline = {}, write_baseline = {}, since = {};
    std::string fleet = {};  ///< the mcpServers file of --fleet; empty: options.target is checked

    /// Returns whether the report for people is shown, because no other format goes to standard output.
    bool shows_report() const { return !json && junit != "-" && sarif != "-" && html != "-" && write_baseline != "-"; }
};

/// Asks the user on the console if the server comes from a project's .mcp.json and was never allowed. Throws Failure.
CheckRequest check_request(const CommandLine& line, Console& console);

check::Target checked_target(const Target& target);

/// Returns the command that repeats the check. Has the names of headers and variables, but not their values, because
/// they may be secret.
std::string repeating_command(const CommandLine& line, std::uint64_t seed);

}  // namespace tenon::program
