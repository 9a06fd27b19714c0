// Work that a backend does later, on one of its threads.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/limits.hpp>

namespace tenon::store {

/// Keeps functions until their time has come. Not thread-safe.
class DelayedWork {
 public:
    using Work = std::function<void()>;
    explicit DelayedWork(std::size_t most) : most_(most) {}

    /// Drops the work when there is too much of it.
    void add(TimePoint when, Work work) {
        if (work_.size() < most_) work_.emplace(when, std::move(work));
    }
    /// Returns the time of the first work, or nullopt when no work waits.
    std::optional<TimePoint> next() const {
        return work_.empty() ? std::nullopt : std::optional(work_.begin()->first);
    }
    /// Removes and returns the work whose time has come.
    std::vector<Work> take_due(TimePoint now) {
        std::vector<Work> out;
        while (!work_.empty() && work_.begin()->first <= now) {
            out.push_back(std::move(work_.begin()->second));
            work_.erase(work_.begin());
        }
        return out;
    }
    void clear() { work_.clear(); }

 private:
    const std::size_t most_;
    std::multimap<TimePoint, Work> work_;
};

}  // namespace tenon::store
