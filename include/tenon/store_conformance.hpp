// Checks whether a Store keeps the contracts of store.hpp. For authors of stores: run each check in a test of any
// framework.
//
//     for (const auto name : tenon::store_checks())
//         if (const auto failure = tenon::run_store_check(name, subject); !failure.empty()) fail(name, failure);
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/store.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The store to check.
struct StoreConformance {
    /// Opens a Store object. All objects share one state, unless Store::is_shared() is false: then each check uses one
    /// object. Checks use new names, so the state may have other entries.
    std::function<std::shared_ptr<Store>(StoreOptions)> open = {};
    /// Lets the clock of the store advance by at least this time: moves a clock of the test, or waits.
    std::function<void(std::chrono::milliseconds)> advance = {};
    /// Replaces the stored bytes of a session or task. `kind` is "session" or "task". Empty: checks of corrupt records
    /// pass without a test.
    std::function<void(std::string_view kind, const std::string& id, const std::string& bytes)> overwrite = {};
    std::chrono::milliseconds patience = std::chrono::seconds(30);  ///< for one answer
};

/// Returns the names of all checks.
std::vector<std::string_view> store_checks();
/// Runs one check. Returns the empty text when it passed, and otherwise what is wrong.
std::string run_store_check(std::string_view name, const StoreConformance& subject);

}  // namespace tenon

#pragma GCC visibility pop
