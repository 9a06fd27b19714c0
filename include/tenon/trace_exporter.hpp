// TraceExporter: sends the operations of servers and clients as spans to an OpenTelemetry collector (OTLP over HTTP).
//
//     auto exporter = tenon::TraceExporter::from_environment();   // OTEL_EXPORTER_OTLP_ENDPOINT and others
//     ... exporter->observer() ...
//
// The spans follow OpenTelemetry's conventions for MCP. Debian has no OpenTelemetry for C++, so Tenon writes the format
// itself. For another tracer, use an OperationObserver of your own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/metrics.hpp>
#include <tenon/operation.hpp>
#include <tenon/server.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Options of TraceExporter. The defaults are those of OpenTelemetry; the variables that set a member stand beside it.
struct TraceExporterOptions {
    /// Where spans are sent: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, or OTEL_EXPORTER_OTLP_ENDPOINT with "/v1/traces"
    /// added.
    std::string endpoint = "http://localhost:4318/v1/traces";
    /// Sent with each request: OTEL_EXPORTER_OTLP_HEADERS and OTEL_EXPORTER_OTLP_TRACES_HEADERS,
    /// "name=value,name=value".
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string ca_file = {};       ///< trusted certificates, PEM: OTEL_EXPORTER_OTLP_CERTIFICATE. Empty: the system's
    std::string service_name = {};  ///< OTEL_SERVICE_NAME; empty: "unknown_service:tenon"
    /// Attributes of this process: OTEL_RESOURCE_ATTRIBUTES.
    std::vector<std::pair<std::string, std::string>> resource = {};
    /// Whether a trace that another program began is sampled if that program says so, and the part of all other traces
    /// that is sampled: OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG.
    bool parent_based = true;
    double ratio = 1;
    /// Exports the arguments of tools too, with secrets masked as in wire_tap.hpp. They may contain personal data.
    bool arguments = false;

    std::size_t max_queue = 2048;                       ///< spans that wait; more are dropped: OTEL_BSP_MAX_QUEUE_SIZE
    std::size_t max_queue_bytes = 4 * 1024 * 1024;      ///< of the spans that wait; more are dropped
    std::size_t max_batch = 512;                        ///< spans in one request: OTEL_BSP_MAX_EXPORT_BATCH_SIZE
    std::size_t max_attempts = 4;                       ///< to send one batch; then it is dropped
    Duration schedule_delay = std::chrono::seconds(5);  ///< until an incomplete batch is sent: OTEL_BSP_SCHEDULE_DELAY
    Duration request_time = std::chrono::seconds(10);   ///< for one attempt: OTEL_EXPORTER_OTLP_TIMEOUT
    Duration first_pause = std::chrono::seconds(1);     ///< after the first failed attempt; doubles after each
    Duration close_time = std::chrono::seconds(2);      ///< for the destructor to send what waits
    LogSink log = {};  ///< told, once in a row, when the collector fails. Empty: nothing is logged

    /// Returns the options that the variables set. `get` returns the value of a variable, or nullopt. Returns nullopt
    /// if traces are not exported: OTEL_SDK_DISABLED is true, OTEL_TRACES_EXPORTER is not "otlp", or no endpoint is
    /// set. A malformed variable is ignored, and `log` is told.
    static std::optional<TraceExporterOptions> from(const std::function<std::optional<std::string>(const char*)>& get,
                                                    LogSink log = {});
};

/// Exports spans on a thread of its own. Never blocks an operation: when the collector is slow, spans are dropped and
/// counted. Thread-safe.
class TraceExporter {
 public:
    /// Throws Exception when the endpoint is not an http or https URL.
    explicit TraceExporter(TraceExporterOptions options);
    ~TraceExporter();  ///< sends what waits, for at most TraceExporterOptions::close_time
    TraceExporter(const TraceExporter&) = delete;
    TraceExporter& operator=(const TraceExporter&) = delete;

    /// Makes an exporter from the environment; null: traces are not exported. See TraceExporterOptions::from().
    static std::shared_ptr<TraceExporter> from_environment(LogSink log = {});

    /// Returns a function that exports operations, for ServerOptions and ClientOptions. It may outlive this object, and
    /// then does nothing.
    OperationObserver observer() const;

    /// Charges the spans that wait to Limits::memory_budget of a server. Spans above it are dropped. serve() does it.
    /// Call it before the first operation.
    void charge_to(const Server& server);

    std::uint64_t exported() const;  ///< spans that the collector accepted
    std::uint64_t dropped() const;   ///< spans that were lost
    /// Adds these two numbers to metrics, as tenon_spans_exported_total and tenon_spans_dropped_total, until the result
    /// is destroyed. Destroy it before this object.
    std::shared_ptr<void> add_to(Metrics& metrics) const;
    /// Waits until everything that was observed before is sent or dropped. Returns false when `time` was not enough.
    bool flush(Duration time);

 private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace tenon

#pragma GCC visibility pop
