// Tools that run as tasks. The response comes at once, with an id. The client uses the id to poll the task, to answer
// its questions and to cancel it.
#include <condition_variable>
#include <mutex>

#include <tenon/tenon.hpp>

using tenon::arg;
using tenon::args;
using tenon::Context;
using tenon::TaskSupport;

struct User {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(User, (), (name))

int main(int argc, char** argv) {
    tenon::Server server("tasks", "1.0.0");

    // The same handler runs as a task for clients that support tasks, and as a normal call for all others.
    server.tool("compute", "Takes its time", args(arg<int>("seconds").min(0).max(3600)),
                [](Context& ctx, int seconds) {
                    std::mutex mutex;
                    std::condition_variable_any stopped;
                    std::unique_lock lock(mutex);
                    for (int i = 0; i < seconds && !ctx.cancelled(); ++i) {
                        ctx.progress(i, seconds, std::to_string(i) + " of " + std::to_string(seconds) + " seconds");
                        stopped.wait_for(lock, ctx.stop_token(), std::chrono::seconds(1), [] { return false; });
                    }
                    return "computed for " + std::to_string(seconds) + " s";
                },
                {.task = TaskSupport::optional});

    // The question of a task waits until the client polls the task.
    server.tool("greet", "Asks for a name, and greets it",
                [](Context& ctx) {
                    const auto user = ctx.elicit<User>("What is your name?");
                    return "Hello, " + (user ? user->name : "nobody") + "!";
                },
                {.task = TaskSupport::optional});

    // Asks during a normal call, and then continues as a task.
    server.tool("greet_later", "Asks for a name, and greets it as a task",
                [](Context& ctx) {
                    const auto user = ctx.elicit<User>("What is your name?");
                    ctx.become_task();
                    return "Hello, " + (user ? user->name : "nobody") + "!";
                },
                {.task = TaskSupport::optional, .task_start = tenon::TaskStart::by_handler});

    return tenon::serve(server, argc, argv);  // stdio, or HTTP with `--http PORT`
}
