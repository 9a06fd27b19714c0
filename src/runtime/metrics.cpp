#include <tenon/metrics.hpp>

#include <list>
#include <map>
#include <mutex>
#include <utility>

#include "observe/limit_names.hpp"
#include "observe/operation_series.hpp"

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
    explicit State(const MetricsOptions& given) : options(given), operations(given.max_series) {}

    const MetricsOptions options;
    observe::OperationSeries operations;
    std::mutex sources_mutex;  // guards the two lists, and is held while a source runs
    Sources<ServerState> watched;
    Sources<MetricsSnapshot> added;
    std::mutex limits_mutex;  // guards limits_hit
    std::map<std::string, std::uint64_t, std::less<>> limits_hit;

    void record(const Operation& operation) {
        operations.record(operation);
        if (operation.reason.empty() || operation.side != Operation::Side::server) return;
        if (const auto limit = observe::limit_named_in(operation.reason); !limit.empty()) limit_hit(limit);
    }
    void limit_hit(std::string_view name) {
        const std::lock_guard lock(limits_mutex);
        auto found = limits_hit.find(name);
        if (found == limits_hit.end())
            found = limits_hit.emplace(limits_hit.size() < options.max_limit_names ? name : "other", 0).first;
        ++found->second;
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

void Metrics::limit_hit(std::string_view name) { state_->limit_hit(name); }

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
    MetricsSnapshot::Family hits{"tenon_limits_hit", Kind::counter, {}, "Refusals because of a limit, by its name."};
    {
        const std::lock_guard lock(state_->limits_mutex);
        for (const auto& [name, count] : state_->limits_hit)
            hits.series.push_back({{{"limit", name}}, static_cast<double>(count)});
    }
    out.families.push_back(std::move(hits));
    state_->ask(state_->added, out);
    return out;
}

std::shared_ptr<void> Metrics::watch(std::function<void(ServerState&)> source) {
    return state_->keep(state_->watched, std::move(source));
}

std::shared_ptr<void> Metrics::add(std::function<void(MetricsSnapshot&)> source) {
    return state_->keep(state_->added, std::move(source));
}

}  // namespace tenon
