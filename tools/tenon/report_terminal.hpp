// Writes the report of a check for people: failures first, then a table of the groups, then a summary line.
#pragma once

#include "out.hpp"
#include "verdict.hpp"

namespace tenon::program {

enum class Detail {
    brief,   ///< failures and the summary
    normal,  ///< also warnings, short evidence, and the table
    full,    ///< every rule, with all evidence
};

void write_report(Out& out, const Assessment& verdict, Detail detail);

/// Returns a line such as "[####----]  40% RPC-4.same-id". It is never wider than `width`.
SafeText check_progress(std::string_view what, std::size_t done, std::size_t of, std::size_t width);

}  // namespace tenon::program
