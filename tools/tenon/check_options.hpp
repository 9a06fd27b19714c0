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
    bool client = false;  ///< it is a client that is checked
    bool json = false, quiet = false;
    Detail detail = Detail::normal;
    std::string junit = {}, sarif = {}, html = {};  ///< files; "-": standard output; empty: not wanted
    std::string baseline = {}, write_baseline = {};

    /// Standard output is not taken by a format.
    bool shows_report() const { return !json && junit != "-" && sarif != "-" && html != "-" && write_baseline != "-"; }
};

/// Asks on the console when the server is one of a project's .mcp.json that was never allowed. Throws Failure.
CheckRequest check_request(const CommandLine& line, Console& console);

/// The command that does the same check again. Has no headers and no variables: they may be secret.
std::string repeating_command(const CommandLine& line, std::uint64_t seed);

}  // namespace tenon::program
