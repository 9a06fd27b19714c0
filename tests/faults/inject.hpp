// Repeats a run with a fault at each of its operations, or at some of them when there are many.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "faults/faults.hpp"

namespace tenon::test {

/// Returns the seed in RC_PARAMS ("seed=7"), which ./dev explore sets; otherwise 1.
inline unsigned long fault_seed() {
    const char* const text = std::getenv("RC_PARAMS");
    const char* const at = text ? std::strstr(text, "seed=") : nullptr;
    return at ? std::strtoul(at + 5, nullptr, 10) : 1;
}

/// Returns the operations to fail: all of them, or `most` that the seed chooses.
inline std::vector<long> chosen_operations(long operations, std::size_t most) {
    std::vector<long> all(static_cast<std::size_t>(std::max(operations, 0L)));
    std::iota(all.begin(), all.end(), 1L);
    std::mt19937_64 random(fault_seed());
    std::ranges::shuffle(all, random);
    if (all.size() > most) all.resize(most);
    std::ranges::sort(all);
    return all;
}

/// A conversation to repeat.
struct Script {
    std::function<void()> with_fault;     ///< all that is required: it ends, and each request has one response
    std::function<bool()> without_fault;  ///< called after it; returns whether everything worked
};

/// Runs the script with one plan. Fails the test when something hangs, leaves a descriptor open, or does not work
/// after the fault.
inline long run_with(const FaultPlan& plan, const Script& script) {
    SCOPED_TRACE(describe(plan));
    const int before = open_descriptors();
    long operations = 0;
    {
        const Watchdog watchdog(plan);
        arm(plan);
        script.with_fault();
        operations = disarm();
        EXPECT_TRUE(script.without_fault()) << "the next conversation failed";
        // The other side, in the same process, may close its end a little later. A descriptor that stays open makes
        // this wait for ever, and the watchdog reports it.
        while (open_descriptors() > before) ::poll(nullptr, 0, 1);
    }
    return operations;
}

/// Runs once without a fault, to count the operations, and then with a fault at each of at most `most` operations.
/// FAULT_ONLY=n, a variable of the environment, runs only the n-th, and FAULT_MOST=n sets `most`.
inline void inject(Fault fault, long count, std::size_t most, const Script& script) {
    script.without_fault();  // makes what lasts for the whole program, such as caches of libraries
    const long operations = run_with({fault, 1'000'000'000, 1}, script);
    const char* const wish = std::getenv("FAULT_MOST");
    std::vector<long> chosen = chosen_operations(operations, wish ? std::strtoul(wish, nullptr, 10) : most);
    if (const char* only = std::getenv("FAULT_ONLY")) chosen = {std::atol(only)};
    testing::Test::RecordProperty("operations_of_" + name_of(fault), std::to_string(operations));
    if (std::getenv("FAULT_LOG")) std::fprintf(stderr, "%s: %ld operations\n", name_of(fault).c_str(), operations);
    for (const long n : chosen) {
        if (std::getenv("FAULT_LOG")) std::fprintf(stderr, "%s %ld\n", name_of(fault).c_str(), n);
        run_with({fault, n, count}, script);
        if (testing::Test::HasFailure()) return;  // the first failure is enough
    }
}

}  // namespace tenon::test
