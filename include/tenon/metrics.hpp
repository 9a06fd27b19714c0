// Metrics: counts and durations of operations, the state of the transports, and how full the limits are.
//
//     auto metrics = std::make_shared<tenon::Metrics>();
//     tenon::Server server("weather", "1.0", {.metrics = metrics});
//     tenon::serve_http(server, {.metrics = tenon::MetricsAddress{}});   // http://127.0.0.1:9464/metrics
//
//     metrics->snapshot().find("tenon_sessions");                        // or read them in the program
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/metrics_snapshot.hpp>
#include <tenon/operation.hpp>
#include <tenon/store.hpp>
#include <tenon/store_times.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Options of Metrics.
struct MetricsOptions {
    /// Series of operations: one for each combination of side, method, name, outcome, error, revision and transport
    /// that occurs. Beyond it, operations with new labels count for the method "other".
    std::size_t max_series = 2000;
    std::size_t max_stores = 32;  ///< stores whose operations are timed; others count as the store "other"
};

/// What a server and its transports hold at the moment. Each transport adds its part.
struct ServerState {
    std::size_t connections = 0;    ///< open connections
    std::size_t sessions = 0;       ///< sessions of clients of 2025-11-25 and before; over stdio 1
    std::size_t streams = 0;        ///< open streams of server-sent events
    std::size_t queued_bytes = 0;   ///< output that waits until it can be written to its connection
    std::size_t busy_workers = 0;   ///< threads that run a handler
    std::size_t waiting_calls = 0;  ///< calls that wait for such a thread
    std::size_t memory_used = 0;    ///< bytes that clients cause the server to hold
    std::size_t memory_budget = 0;  ///< Limits::memory_budget
    bool draining = false;          ///< a transport is shutting down and takes no new requests
};

/// Collects metrics. One object may serve several servers and clients; their values are then added. Thread-safe.
///
/// Label values are names that the program registered, or constants of Tenon. A name that a peer invented counts as
/// "other", so the number of series is bounded.
class Metrics {
 public:
    explicit Metrics(MetricsOptions options = {});
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    /// Counts an operation that has ended. Takes no lock.
    void record(const Operation& operation);
    /// Returns a function that calls record(), for ServerOptions and ClientOptions. It may outlive this object.
    OperationObserver observer() const;

    /// Counts a refusal because of a limit that has no operation, for example of a connection. Takes no lock.
    void limit_hit(LimitName limit);

    /// Returns the times of a store, for metrics named tenon_store_duration_seconds. `store` and `operations` become
    /// labels, so they must be names of the program, for example "tasks" and {"get", "put"}. The same name returns the
    /// same object. It may outlive this object.
    std::shared_ptr<StoreTimes> store_times(std::string_view store, std::vector<std::string> operations);
    /// Returns a function for StoreOptions::observe: the times of that store become metrics. `store` is a label, for
    /// example "redis". The function may outlive this object.
    std::function<void(const StoreOperation&)> store_observer(std::string_view store);

    /// Returns all values. The families come in a fixed order, and the series of each are sorted.
    MetricsSnapshot snapshot() const;
    /// Returns the sum of what the watched servers and transports hold.
    ServerState state() const;
    /// Returns why the server should get no new requests: it is draining, or less than a sixteenth of its memory budget
    /// is free. Returns nullopt if it is ready.
    std::optional<std::string> not_ready() const;

    /// Adds a source for state(): it adds its part to the parameter. Sources run one at a time. The source is removed
    /// when the result is destroyed, and does not run afterwards.
    std::shared_ptr<void> watch(std::function<void(ServerState&)> source);
    /// Adds a source of further families. The same rules apply.
    std::shared_ptr<void> add(std::function<void(MetricsSnapshot&)> source);

 private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace tenon

#pragma GCC visibility pop
