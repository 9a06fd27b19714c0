// Reports a failure of the program.
#pragma once

#include "console.hpp"
#include "status.hpp"

namespace tenon::program {

/// Writes "tenon: ..." and the remedy to standard error. As JSON: {"error":{"status":3,"kind":"connection",...}}.
void report(Console& console, const Failure& failure, bool as_json);

}  // namespace tenon::program
