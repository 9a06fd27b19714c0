// One trace from a client to a server and back with a question, over HTTP. Client and server have an exporter each, and
// a collector of ours receives and checks what they send.
#include <gtest/gtest.h>

#include <tenon/deprecated.hpp>
#include <tenon/tenon.hpp>

#include "support/otlp_collector.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 60s;
constexpr std::uint64_t internal_kind = 1, server_kind = 2, client_kind = 3;

TraceExporterOptions sending_to(const Collector& collector, const char* service) {
    TraceExporterOptions options;
    options.endpoint = collector.url();
    options.service_name = service;
    options.schedule_delay = 10min;  // only flush() sends
    return options;
}

ServerOptions observed_by(const TraceExporter& exporter) {
    ServerOptions options;
    options.log = [](const LogRecord&) {};
    options.observers = {exporter.observer()};
    options.limits.task_poll_interval = 1ms;
    return options;
}

class OneTrace : public testing::TestWithParam<Era> {
 protected:
    OneTrace() {
        server_.tool("sample", "Asks the model", [](Context& ctx) { return ctx.sample("How much?").text(); });
        server_.tool("elicit", "Asks the user", [](Context& ctx) {
            return ctx.elicit("Who?", json::object{{"type", "object"}, {"properties", json::object()}}).action ==
                           ElicitAction::accept
                       ? "yes"
                       : "no";
        });
        server_.tool("both", "Asks twice", [](Context& ctx) {
            const std::string first = ctx.sample("How much?").text();
            return first + ctx.sample("How many?").text();
        });
        server_.tool("task", "Asks in a task", [](Context& ctx) { return ctx.sample("How much?").text(); },
                     {.task = TaskSupport::required});
    }

    /// Calls a tool, and returns the spans of its trace when both sides have sent them.
    std::vector<OtlpSpan> spans_of_call(const std::string& tool) {
        {
            HttpServer serving(server_, {.port = 0});
            ClientOptions options;
            options.era = GetParam();
            options.learn_tools = tool == "task";  // then the client knows that it must be a task
            options.observers = {from_client_.observer()};
            options.limits.min_task_poll_time = 1ms;
            options.on_sample = [](const SampleRequest&, std::stop_token) {
                return SampleResult{Role::assistant, {TextContent{"42"}}, "m", "endTurn"};
            };
            options.on_elicit = [](const ElicitRequest&, std::stop_token) {
                return ElicitResult{ElicitAction::accept, json::object()};
            };
            Client client(http({.url = serving.url(), .proxy = ""}), options);
            EXPECT_FALSE(client.call_tool(tool).isError);
            client.close();
        }
        EXPECT_TRUE(from_server_.flush(patience));
        EXPECT_TRUE(from_client_.flush(patience));
        std::vector<OtlpSpan> out;
        std::string trace;
        for (const OtlpSpan& span : collector_.spans())
            if (span.name == "tools/call " + tool && span.kind == client_kind) trace = span.trace_id;
        for (const OtlpSpan& span : collector_.spans())
            if (span.trace_id == trace) out.push_back(span);
        return out;
    }

    static std::vector<OtlpSpan> of(const std::vector<OtlpSpan>& all, const std::string& name, std::uint64_t kind) {
        std::vector<OtlpSpan> out;
        for (const OtlpSpan& span : all)
            if (span.name == name && span.kind == kind) out.push_back(span);
        return out;
    }
    static void expect_inside(const OtlpSpan& child, const OtlpSpan& parent) {
        EXPECT_EQ(child.trace_id, parent.trace_id);
        EXPECT_EQ(child.parent_span_id, parent.span_id) << child.name << " in " << parent.name;
    }

    Collector collector_;
    TraceExporter from_server_{sending_to(collector_, "server")};
    TraceExporter from_client_{sending_to(collector_, "client")};
    Server server_{"test", "1", observed_by(from_server_)};
};
INSTANTIATE_TEST_SUITE_P(Eras, OneTrace, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

/// The spans of a call with one question: client, server, question, answer.
TEST_P(OneTrace, has_the_call_and_the_question_back) {
    for (const auto& [tool, question] :
         {std::pair("sample", "sampling/createMessage"), std::pair("elicit", "elicitation/create")}) {
        SCOPED_TRACE(tool);
        const auto all = spans_of_call(tool);
        const std::string call = std::string("tools/call ") + tool;
        const auto client = of(all, call, client_kind), server = of(all, call, server_kind),
                   asked = of(all, question, client_kind), answered = of(all, question, server_kind);
        ASSERT_EQ(client.size(), 1U);
        ASSERT_EQ(server.size(), GetParam() == Era::modern ? 2U : 1U) << "the client calls again with its answer";
        ASSERT_EQ(asked.size(), 1U);
        ASSERT_EQ(answered.size(), 1U);
        EXPECT_EQ(all.size(), 3 + server.size());
        EXPECT_EQ(client[0].parent_span_id, "");
        for (const OtlpSpan& span : server) expect_inside(span, client[0]);
        expect_inside(asked[0], server[0]);
        expect_inside(answered[0], asked[0]);
        EXPECT_EQ(asked[0].status, 0U);
        EXPECT_LE(asked[0].start / 1000, answered[0].end / 1000);
    }
}

TEST_P(OneTrace, each_question_has_one_span) {
    const auto all = spans_of_call("both");
    const auto server = of(all, "tools/call both", server_kind), asked = of(all, "sampling/createMessage", client_kind),
               answered = of(all, "sampling/createMessage", server_kind);
    ASSERT_EQ(asked.size(), 2U);
    ASSERT_EQ(answered.size(), 2U);
    EXPECT_NE(asked[0].span_id, asked[1].span_id);
    for (const OtlpSpan& answer : answered)
        EXPECT_EQ(std::ranges::count(asked, answer.parent_span_id, &OtlpSpan::span_id), 1);
    for (const OtlpSpan& question : asked)
        EXPECT_EQ(std::ranges::count(server, question.parent_span_id, &OtlpSpan::span_id), 1);
}

TEST_P(OneTrace, a_task_has_a_span_below_its_call_and_asks_in_the_same_trace) {
    const auto all = spans_of_call("task");
    const auto call = of(all, "tools/call task", server_kind), task = of(all, "task tools/call task", internal_kind),
               asked = of(all, "sampling/createMessage", client_kind),
               answered = of(all, "sampling/createMessage", server_kind);
    ASSERT_EQ(call.size(), 1U);
    ASSERT_EQ(task.size(), 1U);
    ASSERT_EQ(asked.size(), 1U);
    ASSERT_EQ(answered.size(), 1U);
    expect_inside(task[0], call[0]);
    expect_inside(asked[0], call[0]);
    expect_inside(answered[0], asked[0]);
}

}  // namespace
}  // namespace tenon::test
