#include <tenon/metrics.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <list>
#include <mutex>
#include <utility>

#include "observe/operation_series.hpp"
#include "store/operations.hpp"

namespace tenon {
namespace {

using Kind = MetricsSnapshot::Kind;

template <class Target>
using Sources = std::list<std::function<void(Target&)>>;

MetricsSnapshot::Family gauge(std::string name, std::string help, std::size_t value, std::string unit = {}) {
    return {std::move(name), Kind::gauge, std::move(unit), std::move(help), {}, {{{}, static_cast<double>(value)}}};
}

}  // namespace

struct Metrics::State : std::enable_shared_from_this<State> {
    explicit State(const MetricsOptions& given) : operations(given.max_series), max_stores(given.max_stores) {}

    observe::OperationSeries operations;
    std::mutex sources_mutex;  // guards the two lists, and is held while a source runs
    Sources<ServerState> watched;
    Sources<MetricsSnapshot> added;
    std::array<std::atomic<std::uint64_t>, limit_count> limits_hit{};
    const std::size_t max_stores;
    std::mutex stores_mutex;  // guards the list
    std::vector<std::shared_ptr<StoreTimes>> stores;

    void record(const Operation& operation) {
        operations.record(operation);
        if (operation.limit != LimitName::none) limit_hit(operation.limit);
    }
    void limit_hit(LimitName limit) {
        if (const auto at = static_cast<std::size_t>(limit); at < limit_count)
            limits_hit[at].fetch_add(1, std::memory_order_relaxed);
    }
    std::shared_ptr<StoreTimes> store(std::string_view name, std::vector<std::string> timed) {
        const std::lock_guard lock(stores_mutex);
        const auto find = [this](std::string_view wanted) {
            const auto it = std::ranges::find(stores, wanted, &StoreTimes::store);
            return it == stores.end() ? nullptr : *it;
        };
        if (auto known = find(name)) return known;
        const bool room = stores.size() < max_stores;
        if (auto common = room ? nullptr : find("other")) return common;
        if (!room) timed.clear();
        return stores.emplace_back(std::make_shared<StoreTimes>(room ? name : "other", std::move(timed)));
    }
    MetricsSnapshot::Family store_times() {
        MetricsSnapshot::Family out{"tenon_store_duration_seconds", Kind::histogram, "seconds",
                                    "Time that an operation of a store took."};
        out.bounds.assign(StoreTimes::bounds.begin(), StoreTimes::bounds.end());
        const std::lock_guard lock(stores_mutex);
        for (const auto& one : stores) one->add_to(out);
        std::ranges::sort(out.series, {}, &MetricsSnapshot::Series::labels);
        return out;
    }
    template <class Target>
    std::shared_ptr<void> keep(Sources<Target>& sources, std::function<void(Target&)> source) {
        const std::lock_guard lock(sources_mutex);
        const auto where = sources.insert(sources.end(), std::move(source));
        return {nullptr, [self = shared_from_this(), &sources, where](void*) {
                    const std::lock_guard in_destructor(self->sources_mutex);
                    sources.erase(where);
                }};
    }
    template <class Target>
    void ask(const Sources<Target>& sources, Target& target) {
        const std::lock_guard lock(sources_mutex);
        for (const auto& source : sources) source(target);
    }
};

Metrics::Metrics(MetricsOptions options) : state_(std::make_shared<State>(options)) {}
Metrics::~Metrics() = default;

void Metrics::record(const Operation& operation) { state_->record(operation); }

OperationObserver Metrics::observer() const {
    return [state = state_](const Operation& operation) { state->record(operation); };
}

void Metrics::limit_hit(LimitName limit) { state_->limit_hit(limit); }

ServerState Metrics::state() const {
    ServerState out;
    state_->ask(state_->watched, out);
    return out;
}

std::optional<std::string> Metrics::not_ready() const {
    const ServerState now = state();
    if (now.draining) return "the server is shutting down";
    if (now.memory_budget > 0 && now.memory_used > now.memory_budget - now.memory_budget / 16)
        return "the memory budget is used up (Limits::memory_budget)";
    return std::nullopt;
}

MetricsSnapshot Metrics::snapshot() const {
    MetricsSnapshot out;
    state_->operations.add_to(out);
    const ServerState now = state();
    for (auto&& family : {
             gauge("tenon_connections", "Open connections.", now.connections),
             gauge("tenon_sessions", "Sessions of clients that sent initialize.", now.sessions),
             gauge("tenon_streams", "Open streams of server-sent events.", now.streams),
             gauge("tenon_queued_bytes", "Output that waits until it can be written.", now.queued_bytes, "bytes"),
             gauge("tenon_workers_busy", "Threads that run a handler.", now.busy_workers),
             gauge("tenon_calls_waiting", "Calls that wait for a thread.", now.waiting_calls),
             gauge("tenon_memory_used_bytes", "Memory that clients cause the server to hold.", now.memory_used,
                   "bytes"),
             gauge("tenon_memory_budget_bytes", "Limits::memory_budget.", now.memory_budget, "bytes"),
         })
        out.families.push_back(family);
    MetricsSnapshot::Family hits{
        "tenon_limits_hit", Kind::counter, {}, "How often a limit refused or ended something, by its name."};
    for (std::size_t i = 1; i < limit_count; ++i)
        if (const auto count = state_->limits_hit[i].load(std::memory_order_relaxed); count > 0)
            hits.series.push_back(
                {{{"limit", std::string(to_string(static_cast<LimitName>(i)))}}, static_cast<double>(count)});
    out.families.push_back(std::move(hits));
    out.families.push_back(state_->store_times());
    state_->ask(state_->added, out);
    return out;
}

std::function<void(const StoreOperation&)> Metrics::store_observer(std::string_view store) {
    std::vector<std::string> names(std::begin(store::op::operation_names), std::end(store::op::operation_names));
    return [times = store_times(store, std::move(names))](const StoreOperation& operation) {
        times->record(operation.name, operation.took, operation.error != 0);
    };
}

std::shared_ptr<StoreTimes> Metrics::store_times(std::string_view store, std::vector<std::string> operations) {
    return state_->store(store, std::move(operations));
}

std::shared_ptr<void> Metrics::watch(std::function<void(ServerState&)> source) {
    return state_->keep(state_->watched, std::move(source));
}

std::shared_ptr<void> Metrics::add(std::function<void(MetricsSnapshot&)> source) {
    return state_->keep(state_->added, std::move(source));
}

}  // namespace tenon
