// Tools that go on after they were answered: the client polls them, is asked by them, and cancels them, by an id.
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

int main() {
    tenon::Server server("tasks", "1.0.0");

    // The same handler is a task for clients that know tasks, and a call for all others.
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

    // What a task asks waits in the task until the client looks.
    server.tool("greet", "Asks for a name, and greets it",
                [](Context& ctx) {
                    const auto user = ctx.elicit<User>("What is your name?");
                    return "Hello, " + (user ? user->name : "nobody") + "!";
                },
                {.task = TaskSupport::optional});

    // Asks while it is a call, and goes on as a task.
    server.tool("greet_later", "Asks for a name, and greets it as a task",
                [](Context& ctx) {
                    const auto user = ctx.elicit<User>("What is your name?");
                    ctx.become_task();
                    return "Hello, " + (user ? user->name : "nobody") + "!";
                },
                {.task = TaskSupport::optional, .task_start = tenon::TaskStart::by_handler});

    return tenon::serve(server);
}
