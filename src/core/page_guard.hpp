// Keeps a list that never ends from being read for ever.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_set>

#include <tenon/error.hpp>

namespace tenon::core {

/// Sees the cursor of each page of one list.
class PageGuard {
 public:
    explicit PageGuard(std::size_t max_pages) : max_pages_(max_pages) {}

    /// An error when a cursor was there before, or when there are too many pages.
    Result<void> next(const std::string& cursor);

 private:
    std::size_t max_pages_;
    std::unordered_set<std::string> seen_;
};

}  // namespace tenon::core
