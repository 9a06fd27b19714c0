#include "attack/field.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <thread>

namespace attack {
namespace {

// A real attacker has processors of its own. Here it shares them with the server and the innocent clients, so it gets
// a lower priority. Otherwise their latency would show the load of this program, not that of the server.
void step_back() { ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 10); }

}  // namespace

void Field::keep(Wire wire) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(wire));
}

void Field::in_parallel(const std::function<void(int)>& work) const {
    std::vector<std::jthread> threads;
    for (int i = 0; i < connections; ++i) threads.emplace_back([&work, i] { step_back(), work(i); });
}

std::string Field::begin(Wire& wire, std::string_view revision, std::string_view capabilities) const {
    const std::string id =
        wire.ask(post(initialize_message(revision, capabilities), credentials), until).field("mcp-session-id");
    if (!id.empty()) wire.ask(post_in(id, message("notifications/initialized", "", "")), until);
    return id;
}

void Field::report(std::string damage) {
    const std::lock_guard lock(mutex_);
    damage_ = std::move(damage);
}

void Field::count(std::size_t times) {
    const std::lock_guard lock(mutex_);
    counted_ += times;
}

}  // namespace attack
