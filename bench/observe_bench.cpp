// Measures the CPU time that audit, metrics and traces add to a call. The observers get the same prepared operation.
//
//     ./dev bench observe
#include <benchmark/benchmark.h>

#include <filesystem>

#include <tenon/audit.hpp>
#include <tenon/metrics.hpp>
#include <tenon/wire_tap.hpp>

#include "observe/otlp.hpp"

namespace {

using namespace std::chrono_literals;

tenon::Operation operation() {
    tenon::Operation o;
    o.method = "tools/call";
    o.name = "echo";
    o.known_method = o.known_name = true;
    o.request_id = "12345";
    o.revision = "2026-07-28";
    o.transport = "tcp";
    o.took = 1ms;
    o.trace.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    o.parent_span = "0102030405060708";
    return o;
}

// The goal is 1 microsecond.
void metrics(benchmark::State& state) {
    static tenon::Metrics metrics;
    const auto observer = metrics.observer();
    const auto o = operation();
    for (auto _ : state) observer(o);
}
BENCHMARK(metrics)->Threads(1)->Threads(2)->Threads(4);

// The goal is 3 microseconds, at 100 % sampling. Sending happens on another thread.
void traces(benchmark::State& state) {
    const auto o = operation();
    for (auto _ : state) benchmark::DoNotOptimize(tenon::observe::encode_span(o));
}
BENCHMARK(traces);

// The goal is 1 microsecond, with the thread that writes the file.
void audit(benchmark::State& state) {
    const std::string folder = std::filesystem::temp_directory_path() / "tenon-observe-bench";
    std::filesystem::create_directories(folder);
    {
        tenon::AuditLog log({.path = folder + "/audit.jsonl", .kept_files = 0, .max_queued_bytes = 256 << 20});
        const tenon::json::object params{{"name", "echo"},
                                         {"arguments", {{"text", "thirty-two bytes of plain text.."}}}};
        auto o = operation();
        o.params = &params;
        o.session_id = "0123456789abcdef0123456789abcdef";
        o.client_name = "bench";
        o.client_version = "1";
        o.address = "127.0.0.1";
        o.principal = "ann";
        for (auto _ : state) log.add(o);
        log.flush(60s);
        if (log.lost() > 0) state.SkipWithError("records were lost");
    }
    std::filesystem::remove_all(folder);
}
BENCHMARK(audit)->MeasureProcessCPUTime();

void scrape(benchmark::State& state) {
    tenon::Metrics metrics;
    for (int i = 0; i < 200; ++i) {
        const std::string name = "tool" + std::to_string(i);
        auto o = operation();
        o.name = name;
        metrics.record(o);
    }
    for (auto _ : state) benchmark::DoNotOptimize(write_metrics(metrics.snapshot(), tenon::MetricsFormat::prometheus));
}
BENCHMARK(scrape);

}  // namespace

BENCHMARK_MAIN();
