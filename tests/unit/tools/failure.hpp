// Returns the usage failure of a function as "problem | fix", or an empty string when it succeeds.
#pragma once

#include <string>

#include "tools/tenon/status.hpp"

namespace tenon::program {

template <class F>
std::string failure_of(F f) {
    try {
        f();
    } catch (const Failure& failure) {
        if (failure.status != Status::usage) return "status " + std::to_string(static_cast<int>(failure.status));
        return failure.what() + (failure.fix.empty() ? "" : " | " + failure.fix);
    }
    return "";
}

}  // namespace tenon::program
