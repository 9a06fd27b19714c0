// The options of `tenon check`, checked.
#pragma once

#include <cstdint>
#include <string>

#include <tenon/check.hpp>

#include "command_line.hpp"
#include "console.hpp"
#include "report_terminal.hpp"

namespace tenon::program {

struct CheckRequest {
    check::Options options = {};
    bool client = false;  ///< check a client instead of a server
    bool json = false, quiet = false;
    Detail detail = Detail::normal;
    std::string junit = {}, sarif = {}, html = {};  ///< files; "-": standard output; empty: no report
    std::string baseline = {}, write_baseline = {};

    /// Returns whether no report goes to standard output.
    bool shows_report() const { return !json && junit != "-" && sarif != "-" && html != "-" && write_baseline != "-"; }
};

/// Asks on the console when the server is one of a project's .mcp.json that was never allowed. Throws Failure.
CheckRequest check_request(const CommandLine& line, Console& console);

/// Returns the command that repeats the check, without headers and variables, which may be secret.
std::string repeating_command(const CommandLine& line, std::uint64_t seed);

}  // namespace tenon::program
