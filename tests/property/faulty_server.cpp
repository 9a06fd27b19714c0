// A test server whose handlers misbehave, print, block, start processes, and answer from other threads. The arguments
// drain_ms=, handler_ms=, ask_ms=, queued=, concurrent=, message=, workers=, budget_mib= set limits. `unsynced` turns
// off the synchronisation of std::cout with stdio.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <deque>
#include <iostream>
#include <mutex>
#include <thread>

#include <tenon/transport/http_server.hpp>

#include "property/faulty_tools.hpp"

namespace {

using namespace tenon;

/// Runs work on its own thread, which does not belong to the library.
class Elsewhere {
 public:
    Elsewhere() : thread_([this] { run(); }) {}
    ~Elsewhere() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    void post(std::function<void()> work) {
        {
            const std::lock_guard lock(mutex_);
            work_.push_back(std::move(work));
        }
        changed_.notify_one();
    }

 private:
    void run() {
        for (std::unique_lock lock(mutex_);;) {
            changed_.wait(lock, [this] { return over_ || !work_.empty(); });
            if (work_.empty()) return;
            auto work = std::move(work_.front());
            work_.pop_front();
            lock.unlock();
            work();
            work = nullptr;
            lock.lock();
        }
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> work_;
    bool over_ = false;
    std::thread thread_;
};

/// A gate that one call opens and other calls wait for.
struct Gate {
    std::mutex mutex;
    std::condition_variable_any changed;
    int opened = 0, waiting = 0;
};

void add_noise(Server& server) {
    const auto text = args(arg<std::string>("message", "What to print"));
    server.tool("noise_printf", "printf", text,
                [](const std::string& m) { return std::printf("noise %s\n", m.c_str()), "printed"; });
    server.tool("noise_cout", "std::cout", text, [](const std::string& m) {
        static std::mutex one_at_a_time;  // unsynchronised std::cout must not be used by two threads
        const std::lock_guard lock(one_at_a_time);
        std::cout << "noise " << m << "\n";
        return "printed";
    });
    server.tool("noise_write", "write(1)", text, [](const std::string& m) {
        const std::string line = "noise " + m + "\n";
        return ::write(1, line.data(), line.size()) > 0 ? "printed" : "failed";
    });
    server.tool("noise_inline", "printf on the thread that reads", text,
                [](const std::string& m) { return std::printf("noise %s\n", m.c_str()), "printed"; },
                {.placement = Placement::inline_});
    server.tool("shell", "Runs a command with the shell", args(arg<std::string>("command", "Which")),
                [](const std::string& command) { return "status " + std::to_string(::system(command.c_str())); });
    server.tool("mark", "Leaves a mark on stderr", text,
                [](const std::string& m) { return std::fprintf(stderr, "mark:%s\n", m.c_str()), "marked"; });
}

void add_waiting(Server& server, Gate& gate) {
    server.tool("sleep", "Until it is stopped", [](Context& ctx) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        std::fprintf(stderr, "mark:asleep\n");
        never.wait(lock, ctx.stop_token(), [] { return false; });
        return "woken";
    });
    server.tool("stubborn", "Never returns", []() -> std::string {
        std::fprintf(stderr, "mark:stubborn\n");
        for (;;) ::pause();
    });
    server.tool("wait_for_gate", "Until the gate is opened", [&gate](Context& ctx) {
        std::unique_lock lock(gate.mutex);
        ++gate.waiting;
        gate.changed.notify_all();
        const bool open = gate.changed.wait(lock, ctx.stop_token(), [&gate] { return gate.opened > 0; });
        return open ? "through" : "stopped";
    });
    server.tool("open_gate", "Lets them through",
                [&gate] {
                    const std::lock_guard lock(gate.mutex);
                    ++gate.opened;
                    gate.changed.notify_all();
                    return "open";
                },
                {.placement = Placement::inline_});
    server.tool("big", "A long text", args(arg<int>("bytes", "How long")),
                [](int bytes) { return std::string(static_cast<std::size_t>(bytes), 'x'); });
    server.tool("flood", "Many log messages", args(arg<int>("count", "How many"), arg<int>("bytes", "How long each")),
                [](Context& ctx, int count, int bytes) {
                    for (int i = 0; i < count && !ctx.cancelled(); ++i)
                        ctx.warning(std::string(static_cast<std::size_t>(bytes), 'f'));
                    return "flooded";
                });
    server.tool("question", "Asks and waits", [](Context& ctx) -> std::string {
        const auto answer = ctx.elicit("Well?", json::object{{"type", "object"}, {"properties", json::object()}});
        return answer.action == ElicitAction::accept ? "yes" : "no";
    });
}

Limits limits_from(int count, char** words) {
    Limits limits;
    for (int i = 1; i < count; ++i) {
        const std::string_view word(words[i]);
        const auto number = [&](std::string_view name) -> std::optional<long> {
            if (!word.starts_with(name)) return std::nullopt;
            return std::strtol(words[i] + name.size(), nullptr, 10);
        };
        if (const auto n = number("drain_ms=")) limits.drain_time = std::chrono::milliseconds(*n);
        if (const auto n = number("handler_ms=")) limits.handler_time = std::chrono::milliseconds(*n);
        if (const auto n = number("ask_ms=")) limits.ask_time = std::chrono::milliseconds(*n);
        if (const auto n = number("queued=")) limits.max_queued_output_bytes = static_cast<std::size_t>(*n);
        if (const auto n = number("concurrent=")) limits.max_concurrent_requests = static_cast<std::size_t>(*n);
        if (const auto n = number("message=")) limits.max_message_bytes = static_cast<std::size_t>(*n);
        if (const auto n = number("workers=")) limits.max_workers = static_cast<std::size_t>(*n);
        if (const auto n = number("budget_mib=")) limits.memory_budget = static_cast<std::size_t>(*n) << 20;
        if (word == "unsynced") std::ios::sync_with_stdio(false);
    }
    return limits;
}

}  // namespace

int main(int argc, char** argv) {
    const Limits limits = limits_from(argc, argv);
    struct sigaction nothing {};  // without SA_RESTART, so system calls return EINTR
    nothing.sa_handler = [](int) {};
    ::sigaction(SIGUSR1, &nothing, nullptr);
    std::printf("noise from before serving\n");
    std::cout << "noise from std::cout before serving\n";
    Gate gate;
    Elsewhere elsewhere;
    // The properties compare texts byte by byte.
    Server server{"faulty", "1.0.0", {.limits = limits, .neutralise_control_characters = false}};
    test::add_faulty_tools(server, [&elsewhere](std::function<void()> work) { elsewhere.post(std::move(work)); });
    add_noise(server);
    add_waiting(server, gate);
    if (argc > 1 && std::string_view(argv[1]) == "http") return serve_http(server, {.port = 0});
    return serve(server);
}
