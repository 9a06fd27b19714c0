// Reports a failure.
#pragma once

#include "console.hpp"
#include "status.hpp"

namespace tenon::program {

/// "tenon: ..." and what to do about it, on standard error; as JSON: {"error":{"status":3,"kind":"connection",...}}.
void report(Console& console, const Failure& failure, bool as_json);

}  // namespace tenon::program
