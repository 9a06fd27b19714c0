#include <tenon/store_times.hpp>

#include <algorithm>

namespace tenon {

StoreTimes::StoreTimes(std::string_view store, std::vector<std::string> operations)
    : store_(store), operations_(std::move(operations)) {
    if (operations_.size() > max_operations) operations_.resize(max_operations);
    operations_.emplace_back("other");
    counts_ = std::make_unique<Counts[]>(2 * operations_.size());
}

void StoreTimes::record(std::string_view operation, std::chrono::nanoseconds took, bool failed) {
    const auto found = std::find(operations_.begin(), operations_.end() - 1, operation);
    Counts& counts = counts_[2 * static_cast<std::size_t>(found - operations_.begin()) + (failed ? 1 : 0)];
    took = std::max(took, std::chrono::nanoseconds::zero());
    const auto bucket = std::ranges::lower_bound(bounds, std::chrono::duration<double>(took).count());
    counts.buckets[static_cast<std::size_t>(bucket - bounds.begin())].fetch_add(1, std::memory_order_relaxed);
    counts.nanoseconds.fetch_add(static_cast<std::uint64_t>(took.count()), std::memory_order_relaxed);
}

void StoreTimes::add_to(MetricsSnapshot::Family& family) const {
    for (std::size_t i = 0; i < 2 * operations_.size(); ++i) {
        MetricsSnapshot::Series series{
            {{"store", store_}, {"operation", operations_[i / 2]}, {"outcome", i % 2 == 0 ? "ok" : "error"}}};
        for (const auto& n : counts_[i].buckets) series.buckets.push_back(n.load(std::memory_order_relaxed));
        if (series.count() == 0) continue;
        series.value = static_cast<double>(counts_[i].nanoseconds.load(std::memory_order_relaxed)) / 1e9;
        family.series.push_back(std::move(series));
    }
}

}  // namespace tenon
