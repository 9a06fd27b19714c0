// Tools that go on after they were answered: the client polls them, is asked by them, and cancels them, by an id.
#include <condition_variable>
#include <mutex>

#include <tenon/tenon.hpp>

namespace {

using tenon::arg;
using tenon::args;
using tenon::Context;
using tenon::TaskStart;
using tenon::TaskSupport;

struct Confirmation {
    bool confirm;
};
BOOST_DESCRIBE_STRUCT(Confirmation, (), (confirm))

struct User {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(User, (), (name))

/// Sleeps, but not when the client does not want the result any more.
void nap(const Context& ctx, std::chrono::seconds time) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    stopped.wait_for(lock, ctx.stop_token(), time, [] { return false; });
}

void add_tools(tenon::Server& server) {
    server.tool("greet", "Greets, at once", args(arg<std::string>("name")),
                [](const std::string& name) { return "Hello, " + name + "!"; });

    // The same handler is a call for some clients and a task for others.
    server.tool("slow_compute", "Takes its time",
                args(arg<int>("seconds").min(0).max(3600), arg<std::string>("label").def("")),
                [](Context& ctx, int seconds, const std::string& label) {
                    for (int i = 0; i < seconds && !ctx.cancelled(); ++i) {
                        ctx.progress(i, seconds, std::to_string(i) + " of " + std::to_string(seconds) + " seconds");
                        nap(ctx, std::chrono::seconds(1));
                    }
                    return "computed " + label;
                },
                {.task = TaskSupport::optional});

    server.tool("failing_job", "Ends with a result that is an error",
                [](Context& ctx) -> std::string {
                    nap(ctx, std::chrono::seconds(1));
                    throw std::runtime_error("the job failed");
                },
                {.task = TaskSupport::required});

    server.tool("protocol_error_job", "Ends without a result",
                []() -> std::string {
                    throw tenon::ProtocolError({tenon::code::internal_error, "the job crashed"});
                },
                {.task = TaskSupport::optional});

    // What a task asks waits in the task until the client looks.
    server.tool("confirm_delete", "Asks before it deletes", args(arg<std::string>("filename")),
                [](Context& ctx, const std::string& filename) {
                    const auto answer = ctx.elicit<Confirmation>("Delete " + filename + "?");
                    return answer && answer->confirm ? "deleted " + filename : "kept " + filename;
                },
                {.task = TaskSupport::optional});

    server.tool("multi_input", "Asks two things at once",
                [](Context& ctx) {
                    auto [first, second] = ctx.ask_all(tenon::ask::form<User>("First?", "first"),
                                                       tenon::ask::form<User>("Second?", "second"));
                    return (first ? first->name : "nobody") + " and " + (second ? second->name : "nobody");
                },
                {.task = TaskSupport::optional});

    // Asks while it is a call, and goes on as a task.
    server.tool("test_tool_with_task", "Greets whoever answers, later",
                [](Context& ctx) {
                    const auto user = ctx.elicit<User>("What is your name?", "user_name");
                    ctx.become_task();
                    return user ? "Hello, " + user->name + "!" : std::string("Hello!");
                },
                {.task = TaskSupport::required, .task_start = TaskStart::by_handler});
}

}  // namespace

int main() {
    tenon::Server server("tasks", "1.0.0");
    add_tools(server);
    return tenon::serve(server);
}
