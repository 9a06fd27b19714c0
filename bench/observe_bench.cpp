// Measures the CPU time that audit, metrics and traces add to a call: what each of them costs for a prepared operation,
// and what a whole call costs with and without them.
//
//     ./dev bench observe
#include <benchmark/benchmark.h>

#include <filesystem>

#include <tenon/audit.hpp>
#include <tenon/metrics.hpp>
#include <tenon/session.hpp>
#include <tenon/tenon.hpp>

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

/// A folder for the file of an audit.
struct Folder {
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    tenon::AuditOptions audit() const {
        return {.path = path + "/audit.jsonl", .kept_files = 0, .max_queued_bytes = 256 << 20};
    }
    const std::string path = std::filesystem::temp_directory_path() / "tenon-observe-bench";
};

// The goal is 1 microsecond, with the thread that writes the file.
void audit(benchmark::State& state) {
    const Folder folder;
    {
        tenon::AuditLog log(folder.audit());
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
}
BENCHMARK(audit)->MeasureProcessCPUTime();

// A benchmark makes more calls per second than one peer may.
tenon::Limits unlimited() {
    tenon::Limits out;
    out.max_calls_per_second = 0;
    return out;
}

// A whole call, from the request line to the response line, without a transport. The difference to `plain_call` is what
// an observer costs, with the record that the server makes for it.
void call(benchmark::State& state, tenon::ServerOptions options) {
    tenon::Server server("bench", "1", std::move(options));
    server.tool("echo", "Says it again", tenon::args(tenon::arg<std::string>("text")),
                [](std::string text) { return text; }, {.placement = tenon::Placement::inline_});
    tenon::Session session(server);
    session.receive(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
        R"("clientInfo":{"name":"bench","version":"1"}}})");
    session.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    session.take_output();
    for (auto _ : state) {
        session.receive(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":)"
                        R"({"text":"thirty-two bytes of plain text.."}}})");
        benchmark::DoNotOptimize(session.take_output());
    }
}
void plain_call(benchmark::State& state) { call(state, {.limits = unlimited()}); }
void measured_call(benchmark::State& state) {
    call(state, {.limits = unlimited(), .metrics = std::make_shared<tenon::Metrics>()});
}
void audited_call(benchmark::State& state) {
    const Folder folder;
    const auto log = std::make_shared<tenon::AuditLog>(folder.audit());
    call(state, {.limits = unlimited(), .audit = log});
    log->flush(60s);
    if (log->lost() > 0) state.SkipWithError("records were lost");
}
void traced_call(benchmark::State& state) {
    call(state, {.limits = unlimited(), .observers = {[](const tenon::Operation& o) {
                                            benchmark::DoNotOptimize(tenon::observe::encode_span(o));
                                        }}});
}
BENCHMARK(plain_call)->MeasureProcessCPUTime();
BENCHMARK(measured_call)->MeasureProcessCPUTime();
BENCHMARK(audited_call)->MeasureProcessCPUTime();
BENCHMARK(traced_call)->MeasureProcessCPUTime();

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
