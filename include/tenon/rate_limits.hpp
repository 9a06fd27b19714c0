// Rate limits for calls of tools and of methods of extensions: how many, and in which time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#pragma GCC visibility push(default)

namespace tenon {

/// Allows `calls` calls per period on average. All of them may come in one burst.
struct RateLimit {
    std::uint32_t calls = 0;  ///< 0: no limit
    std::chrono::milliseconds per = std::chrono::minutes(1);
};

/// Rate limits for calls of tools and of methods of extensions. Default: none.
struct RateLimits {
    RateLimit each = {};                                       ///< limit for each pair of tool or method and principal
    std::map<std::string, RateLimit, std::less<>> tools = {};  ///< other limits for single tools and methods, by name
    /// Pairs of tool and principal that are counted at once. Above it, the counts with the fewest calls are forgotten.
    /// Each takes at most 64 bytes, beside Limits::memory_budget: 640 kB for the default.
    std::size_t max_counted = 10'000;
};

}  // namespace tenon

#pragma GCC visibility pop
