// The report of a check for people: what is wrong first, then a table of the groups, then one line that says it all.
#pragma once

#include "out.hpp"
#include "verdict.hpp"

namespace tenon::program {

enum class Detail {
    brief,   ///< what failed, and the last line
    normal,  ///< also warnings, evidence in short, and the table
    full,    ///< everything that was tried, with all evidence
};

void write_report(Out& out, const Verdict& verdict, Detail detail);

/// "[####----]  40% RPC-4.same-id", never wider than `width`.
SafeText check_progress(std::string_view what, std::size_t done, std::size_t of, std::size_t width);

}  // namespace tenon::program
