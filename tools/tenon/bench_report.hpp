// Prints the results of `tenon bench`, for people and for scripts.
#pragma once

#include <string>

#include <tenon/bench.hpp>

#include "out.hpp"

namespace tenon::program {

void write_report(Out& out, const bench::Report& result);
void write_report(Out& out, const bench::Latency& start_up);
json::object report_of(const bench::Report& result);
json::object report_of(const bench::Latency& latency);

/// Formats the progress as one line.
SafeText bench_line(const bench::Progress& progress, Duration whole);

}  // namespace tenon::program
