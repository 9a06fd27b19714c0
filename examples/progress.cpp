// A slow tool that reports progress and stops when it is cancelled.
#include <condition_variable>
#include <mutex>

#include <tenon/tenon.hpp>

namespace {

/// Waits for this time. Returns true as soon as the client cancels the call.
bool pause(std::stop_token stop, std::chrono::milliseconds time) {
    std::mutex mutex;
    std::condition_variable_any wakes;
    std::unique_lock lock(mutex);
    wakes.wait_for(lock, stop, time, [] { return false; });
    return stop.stop_requested();
}

}  // namespace

int main() {
    tenon::Server server{"progress", "1.0.0"};
    server.tool("count", "Counts to a number, slowly",
                tenon::args(tenon::arg<int>("to", "How far").min(1).max(1000),
                            tenon::arg<int>("delay_ms", "Time between two numbers").min(0).max(1000).def(100)),
                [](tenon::Context& ctx, int to, int delay_ms) -> std::string {
                    for (int i = 1; i <= to; ++i) {
                        if (pause(ctx.stop_token(), std::chrono::milliseconds(delay_ms)))
                            return "stopped at " + std::to_string(i);
                        ctx.progress(i, to, "counted " + std::to_string(i));
                    }
                    ctx.info("done counting");
                    return "counted to " + std::to_string(to);
                });
    return tenon::serve(server);
}
