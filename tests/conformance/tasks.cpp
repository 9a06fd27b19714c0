#include <stdexcept>

#include "fixtures.hpp"

namespace conformance {
namespace {

using tenon::arg;
using tenon::args;
using tenon::Context;
using tenon::TaskSupport;

constexpr std::string_view confirm_form =
    R"({"type": "object", "properties": {"confirm": {"type": "boolean"}}, "required": ["confirm"]})";
constexpr std::string_view name_form =
    R"({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})";

void add_jobs(tenon::Server& server) {
    server.tool("greet", "Greets, and is never a task", args(arg<std::string>("name", "Whom")),
                [](std::string name) { return "Hello, " + name + "!"; });
    server.tool(
        "slow_compute", "Takes its time",
        args(arg<int>("seconds", "How long").min(0).max(600), arg<std::optional<std::string>>("label", "For logs")),
        [](Context& ctx, int seconds, std::optional<std::string> label) {
            wait_unless_stopped(ctx, std::chrono::seconds(seconds));
            return "Computed " + label.value_or("something");
        },
        {.task = TaskSupport::optional});
    server.tool("failing_job", "Fails after a while, and only as a task",
                [](Context& ctx) -> std::string {
                    wait_unless_stopped(ctx, std::chrono::seconds(1));
                    throw std::runtime_error("This job fails on purpose");
                },
                {.task = TaskSupport::required});
    server.tool("protocol_error_job", "Ends with an error of the protocol",
                []() -> std::string {
                    throw tenon::ProtocolError({tenon::code::internal_error, "This job breaks on purpose"});
                },
                {.task = TaskSupport::optional});
}

void add_asking_jobs(tenon::Server& server) {
    server.tool("confirm_delete", "Asks before it deletes nothing",
                args(arg<std::string>("filename", "What to delete")),
                [](Context& ctx, std::string filename) {
                    const auto answer = ctx.elicit("Delete " + filename + "?", schema(confirm_form));
                    return (answer.action == tenon::ElicitAction::accept ? "Deleted " : "Kept ") + filename;
                },
                {.task = TaskSupport::optional});
    server.tool("multi_input", "Asks two questions at once",
                [](Context& ctx) {
                    const auto [first, second] =
                        ctx.ask_all(tenon::ask::form("Your first name?", schema(name_form), "first"),
                                    tenon::ask::form("Your second name?", schema(name_form), "second"));
                    return text_of(first, "name") + " " + text_of(second, "name");
                },
                {.task = TaskSupport::optional});
    server.tool("test_tool_with_task", "Asks, and then goes on as a task",
                [](Context& ctx) {
                    const auto answer = ctx.elicit("What is your name?", schema(name_form), "user_name");
                    ctx.become_task();
                    return "Hello, " + text_of(answer, "name") + "!";
                },
                {.task = TaskSupport::required, .task_start = tenon::TaskStart::by_handler});
}

}  // namespace

void add_tasks(tenon::Server& server) {
    add_jobs(server);
    add_asking_jobs(server);
}

}  // namespace conformance
