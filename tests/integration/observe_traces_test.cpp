// TraceExporter sends spans to a collector: a receiver of ours, which reads them strictly.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include <tenon/tenon.hpp>

#include "support/otlp_collector.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 60s;

Operation traced_call() {
    Operation o;
    o.method = "tools/call";
    o.name = "echo";
    o.known_method = o.known_name = true;
    o.began = std::chrono::system_clock::time_point(1s);
    o.trace.traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    return o;
}

TraceExporterOptions options_for(const Collector& collector) {
    TraceExporterOptions o;
    o.endpoint = collector.url();
    o.schedule_delay = 10min;  // only flush() and complete batches send
    o.first_pause = Duration::zero();
    return o;
}

TEST(TraceExporter, sends_a_valid_request_with_its_headers) {
    Collector collector;
    auto options = options_for(collector);
    options.headers = {{"X-Key", "canary"}};
    options.service_name = "weather";
    TraceExporter exporter(options);
    exporter.observer()(traced_call());
    ASSERT_TRUE(exporter.flush(patience));
    ASSERT_EQ(collector.requests().size(), 1U);
    const auto request = collector.requests().front();
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.target, "/v1/traces");
    EXPECT_EQ(request.field("Content-Type"), "application/x-protobuf");
    EXPECT_EQ(request.field("X-Key"), "canary");
    EXPECT_EQ(OtlpReader::read(request.body).resource.at("service.name"), "weather");
    EXPECT_EQ(collector.spans().at(0).name, "tools/call echo");
    EXPECT_EQ(exporter.exported(), 1U);
    EXPECT_EQ(exporter.dropped(), 0U);
}

// The limit TraceExporterOptions::max_batch.
TEST(TraceExporter, divides_spans_into_batches) {
    Collector collector;
    auto options = options_for(collector);
    options.max_batch = 10;
    TraceExporter exporter(options);
    for (int i = 0; i < 25; ++i) exporter.observer()(traced_call());
    ASSERT_TRUE(exporter.flush(patience));
    EXPECT_EQ(collector.spans().size(), 25U);
    for (const auto& request : collector.requests()) EXPECT_LE(OtlpReader::read(request.body).spans.size(), 10U);
}

// The limit TraceExporterOptions::max_queue.
TEST(TraceExporter, drops_and_counts_spans_when_the_queue_is_full) {
    Collector collector;
    auto options = options_for(collector);
    options.max_queue = 5;
    TraceExporter exporter(options);
    const auto observer = exporter.observer();
    for (int i = 0; i < 12; ++i) observer(traced_call());  // nothing is sent before flush()
    EXPECT_EQ(exporter.dropped(), 7U);
    ASSERT_TRUE(exporter.flush(patience));
    EXPECT_EQ(collector.spans().size(), 5U);
}

// The limit TraceExporterOptions::max_queue_bytes.
TEST(TraceExporter, drops_spans_above_max_queue_bytes) {
    Collector collector;
    auto options = options_for(collector);
    options.max_queue_bytes = 1000;
    TraceExporter exporter(options);
    for (int i = 0; i < 50; ++i) exporter.observer()(traced_call());
    const std::uint64_t dropped = exporter.dropped();
    EXPECT_GT(dropped, 40U);
    ASSERT_TRUE(exporter.flush(patience));
    EXPECT_EQ(collector.spans().size(), 50 - dropped);
    exporter.observer()(traced_call());
    EXPECT_EQ(exporter.dropped(), dropped) << "there is room again";
}

TEST(TraceExporter, charges_its_queue_to_the_budget_of_a_server) {
    Collector collector;
    TraceExporter exporter(options_for(collector));
    const auto metrics = std::make_shared<Metrics>();
    Server server("test", "1", {.limits = {.memory_budget = 400'000}, .metrics = metrics});
    exporter.charge_to(server);
    for (int i = 0; i < 500; ++i) exporter.observer()(traced_call());
    EXPECT_GT(metrics->state().memory_used, 1000U);
    EXPECT_LE(metrics->state().memory_used, 100'000U) << "the share of one peer";
    EXPECT_GT(exporter.dropped(), 0U);
    ASSERT_TRUE(exporter.flush(patience));
    EXPECT_EQ(metrics->state().memory_used, 0U);
}

TEST(TraceExporter, tries_again_when_the_collector_is_busy) {
    Collector collector({"503 Busy", "429 Busy"});
    TraceExporter exporter(options_for(collector));
    exporter.observer()(traced_call());
    ASSERT_TRUE(exporter.flush(patience));
    EXPECT_EQ(collector.requests().size(), 3U);
    EXPECT_EQ(exporter.exported(), 1U);
}

// The limit TraceExporterOptions::max_attempts.
TEST(TraceExporter, drops_a_batch_after_its_last_attempt) {
    Collector collector({"503 Busy", "503 Busy", "200 OK"});
    auto options = options_for(collector);
    options.max_attempts = 2;
    std::vector<std::string> told;
    options.log = [&](const LogRecord& record) { told.emplace_back(record.message); };
    TraceExporter exporter(options);
    exporter.observer()(traced_call());
    ASSERT_TRUE(exporter.flush(patience));
    EXPECT_EQ(exporter.dropped(), 1U);
    EXPECT_EQ(told.size(), 1U) << "once in a row";
    exporter.observer()(traced_call());
    ASSERT_TRUE(exporter.flush(patience));
    EXPECT_EQ(exporter.exported(), 1U);
}

TEST(TraceExporter, does_not_repeat_a_batch_that_was_refused) {
    Collector collector({"400 Bad"});
    TraceExporter exporter(options_for(collector));
    exporter.observer()(traced_call());
    ASSERT_TRUE(exporter.flush(patience));
    EXPECT_EQ(collector.requests().size(), 1U);
    EXPECT_EQ(exporter.dropped(), 1U);
}

TEST(TraceExporter, the_destructor_sends_what_waits_and_the_observer_may_outlive_it) {
    Collector collector;
    OperationObserver observer;
    {
        auto options = options_for(collector);
        options.close_time = patience;
        TraceExporter exporter(options);
        observer = exporter.observer();
        observer(traced_call());
    }
    EXPECT_EQ(collector.spans().size(), 1U);
    observer(traced_call());
    EXPECT_EQ(collector.spans().size(), 1U);
}

// Accepts connections and never answers.
class DeafCollector {
 public:
    std::string url() const { return server_.url("/v1/traces"); }

 private:
    const ScriptedServer server_{[](ScriptedConnection& c, int) { c.wait_for_close(); }};
};

TEST(TraceExporter, gives_up_an_attempt_after_request_time) {
    DeafCollector collector;
    TraceExporterOptions options;
    options.endpoint = collector.url();
    options.request_time = 10ms;
    options.max_attempts = 1;
    TraceExporter exporter(options);
    exporter.observer()(traced_call());
    EXPECT_TRUE(exporter.flush(patience));
    EXPECT_EQ(exporter.dropped(), 1U);
}

TEST(TraceExporter, the_destructor_waits_no_longer_than_close_time) {
    DeafCollector collector;
    TraceExporterOptions options;
    options.endpoint = collector.url();
    options.request_time = 10min;
    options.close_time = 10ms;
    TraceExporter exporter(options);
    exporter.observer()(traced_call());
}

TEST(TraceExporter, exports_only_sampled_traces_and_reports_its_numbers) {
    Collector collector;
    auto options = options_for(collector);
    options.ratio = 0;
    TraceExporter exporter(options);
    exporter.observer()(traced_call());
    ASSERT_TRUE(exporter.flush(patience));
    EXPECT_EQ(collector.requests().size(), 0U);
    Metrics metrics;
    const auto added = exporter.add_to(metrics);
    EXPECT_EQ(metrics.snapshot().find("tenon_spans_dropped")->series.at(0).value, 0);
}

TEST(TraceExporter, refuses_a_malformed_endpoint) {
    TraceExporterOptions options;
    options.endpoint = "ftp://host";
    EXPECT_THROW(TraceExporter exporter(options), Exception);
}

using Environment = std::map<std::string, std::string>;

std::optional<TraceExporterOptions> read(const Environment& environment, std::string* told = nullptr) {
    return TraceExporterOptions::from(
        [&](const char* name) {
            const auto it = environment.find(name);
            return it == environment.end() ? std::nullopt : std::optional(it->second);
        },
        [told](const LogRecord& record) {
            if (told) *told += std::string(record.message) + "\n";
        });
}

TEST(TraceOptions, without_an_endpoint_nothing_is_exported) {
    EXPECT_FALSE(read({}));
    const Environment on = {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318"}};
    EXPECT_TRUE(read(on));
    for (const auto& [name, value] : Environment{{"OTEL_SDK_DISABLED", "true"}, {"OTEL_TRACES_EXPORTER", "none"}}) {
        Environment off = on;
        off[name] = value;
        EXPECT_FALSE(read(off)) << name;
    }
}

TEST(TraceOptions, the_variables_set_the_options) {
    const auto o = read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c:4318/base/"},
                         {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b, x = y"},
                         {"OTEL_SERVICE_NAME", "weather"},
                         {"OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test,team=a"},
                         {"OTEL_TRACES_SAMPLER", "traceidratio"},
                         {"OTEL_TRACES_SAMPLER_ARG", "0.25"},
                         {"OTEL_BSP_MAX_QUEUE_SIZE", "10"},
                         {"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "5"},
                         {"OTEL_BSP_SCHEDULE_DELAY", "100"},
                         {"OTEL_EXPORTER_OTLP_TIMEOUT", "200"}});
    ASSERT_TRUE(o);
    EXPECT_EQ(o->endpoint, "http://c:4318/base/v1/traces");
    const std::vector<std::pair<std::string, std::string>> headers = {{"api-key", "a b"}, {"x", "y"}};
    EXPECT_EQ(o->headers, headers);
    EXPECT_EQ(o->service_name, "weather");
    EXPECT_EQ(o->resource.size(), 2U);
    EXPECT_FALSE(o->parent_based);
    EXPECT_EQ(o->ratio, 0.25);
    EXPECT_EQ(o->max_queue, 10U);
    EXPECT_EQ(o->max_batch, 5U);
    EXPECT_EQ(o->schedule_delay, 100ms);
    EXPECT_EQ(o->request_time, 200ms);
    EXPECT_EQ(read({{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://d/x"}})->endpoint, "http://d/x");
}

TEST(TraceOptions, malformed_variables_are_ignored_and_their_values_are_not_logged) {
    std::string told;
    const auto o = read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://c"},
                         {"OTEL_EXPORTER_OTLP_HEADERS", "canary"},
                         {"OTEL_TRACES_SAMPLER", "canary"},
                         {"OTEL_BSP_MAX_QUEUE_SIZE", "-1"}},
                        &told);
    ASSERT_TRUE(o);
    EXPECT_TRUE(o->headers.empty());
    EXPECT_TRUE(o->parent_based);
    EXPECT_EQ(o->max_queue, 2048U);
    EXPECT_EQ(std::ranges::count(told, '\n'), 3);
    EXPECT_EQ(told.find("canary"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
