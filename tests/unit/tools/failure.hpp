// What a function complains about, as "what | how to mend it"; empty when it does not.
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
