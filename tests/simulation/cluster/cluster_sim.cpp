#include "simulation/cluster/cluster_sim.hpp"

#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace {

// The random numbers of the product, while a simulation runs: names of tasks decide the order of some steps, so a run
// could not be repeated otherwise.
thread_local tenon::test::Dice* product_dice = nullptr;  // NOLINT(misc-use-anonymous-namespace)

}  // namespace

// Hidden, because shared libraries must not use it: OpenSSL takes numbers when it likes, and keeps them for later
// worlds.
extern "C" __attribute__((visibility("hidden"))) ssize_t getrandom(void* to, std::size_t size, unsigned flags) {
    if (!product_dice) return syscall(SYS_getrandom, to, size, flags);
    for (std::size_t i = 0; i < size; ++i)
        static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(product_dice->next());
    return static_cast<ssize_t>(size);
}

namespace tenon::test {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

std::ostream& operator<<(std::ostream& out, const ClusterOptions& options) {
    return out << "seed " << options.seed << ", " << options.nodes << " nodes, " << options.clients << " clients, "
               << (options.round_robin ? "round-robin" : "random") << (options.faults ? ", faults" : "");
}

std::ostream& operator<<(std::ostream& out, const ClusterStep& step) {
    return out << step.name() << " " << step.who << " " << step.choice;
}

const std::vector<std::string>& ClusterStep::names() {
    static const std::vector<std::string> all{
        "open",       "open",       "call",        "call",          "call",        "call",         "lose call",
        "lose call",  "listen",     "listen",      "lose listener", "cancel",      "subscribe",    "announce",
        "announce",   "announce",   "attack",      "end session",   "wait",        "call alone",   "start task",
        "start task", "start task", "cancel task", "list tasks",    "attack task", "cut commands", "cut channels",
        "partition",  "refuse",     "pause",       "kill"};
    return all;
}

Limits ClusterSim::limits() {
    Limits limits;
    limits.session_idle_time = minutes(2);
    limits.ask_time = minutes(1);
    limits.task_ttl = minutes(4);
    limits.memory_budget = 64 * 1024 * 1024;
    return limits;
}

ClusterSim::ClusterSim(const ClusterOptions& options)
    : options_(options), dice_(options.seed), product_dice_(~options.seed) {
    product_dice = &product_dice_;
    store_.mutant = options.mutant;
    for (std::size_t i = 0; i < options.nodes; ++i) start_node();
    for (std::size_t i = 0; i < options.clients; ++i) {
        clients_.push_back(std::make_unique<SimClient>(*this, i));
        clients_.back()->open();
    }
    for (std::size_t i = 0; i < options.clients; ++i)
        task_clients_.push_back(std::make_unique<SimTaskClient>(*this, i));
    run_for(seconds(2));
}

ClusterSim::~ClusterSim() {
    nodes_.clear();
    agenda_.clear();
    product_dice = nullptr;
}

SimNode* ClusterSim::next_node() {
    if (nodes_.empty()) return nullptr;
    const std::size_t at = options_.round_robin ? next_++ : dice_.below(nodes_.size());
    return nodes_[at % nodes_.size()].get();
}

void ClusterSim::run_for(Duration time) {
    const TimePoint until = later(agenda_.now(), time);
    while (!oracle_.failure() && agenda_.step(until)) {
    }
    agenda_.advance_to(until);
}

template <class Done>
bool ClusterSim::run_until(Done done, Duration most) {
    const TimePoint until = later(agenda_.now(), most);
    while (!oracle_.failure() && agenda_.now() < until) {
        if (done()) return true;
        run_for(milliseconds(500));
    }
    return oracle_.failure() || done();
}

void ClusterSim::start_node() {
    static constexpr seconds skews[] = {seconds(0), seconds(60), seconds(-60)};
    const std::string name = "n" + std::to_string(++started_);
    nodes_.push_back(std::make_unique<SimNode>(store_, name, skews[started_ % 3], limits()));
    oracle_.note("the node " + name + " starts");
}

// ---- steps

void ClusterSim::take(const ClusterStep& step) {
    if (failure()) return;
    SimClient& client = *clients_[step.who % clients_.size()];
    const std::string what = step.name();
    if (what == "open")
        client.open();
    else if (what == "call")
        client.call(step.choice);
    else if (what == "lose call")
        client.lose_call(step.choice);
    else if (what == "listen")
        client.listen();
    else if (what == "lose listener")
        client.lose_listener();
    else if (what == "cancel")
        client.cancel(step.choice);
    else if (what == "subscribe")
        client.subscribe(step.choice % 3 != 0);
    else if (what == "attack")
        client.be_attacked(step.choice);
    else if (what == "end session")
        end_session(client, step.choice);
    else if (what == "announce")
        announce(step);
    else if (what == "wait")
        run_for(milliseconds(200 * step.choice));
    else if (use_task(*task_clients_[step.who % task_clients_.size()], step)) {
    } else if (options_.faults && !nodes_.empty())
        fault(step);
    run_for(milliseconds(dice_.below(dice_.one_in(5) ? 2000 : 150)));
}

bool ClusterSim::use_task(SimTaskClient& client, const ClusterStep& step) {
    const std::string what = step.name();
    if (what == "call alone") return client.call(step.choice), true;
    if (what == "start task") return client.start(step.choice), true;
    if (what == "cancel task") return client.cancel(step.choice), true;
    if (what == "list tasks") return client.list(), true;
    if (what == "attack task") return client.be_attacked(step.choice), true;
    return false;
}

// Rarely: most sessions live on.
void ClusterSim::end_session(SimClient& client, std::size_t choice) {
    if (choice % 3 == 0) client.end_session();
}

void ClusterSim::announce(const ClusterStep& step) {
    if (nodes_.empty()) return;
    SimNode& node = *nodes_[step.who % nodes_.size()];
    const std::string text = "<" + std::to_string(++announcements_) + ">";
    oracle_.note(node.name() + " announces " + text);
    node.door().pass([&node, choice = step.choice, text] {
        if (choice % 3 == 0) return node.server().resource_updated("note://a");
        if (choice % 3 == 1) return node.server().resource_list_changed("note://a");
        node.server().log(LogLevel::error, json::value(text));
    });
}

void ClusterSim::fault(const ClusterStep& step) {
    const std::size_t at = step.who % nodes_.size();
    SimNode& node = *nodes_[at];
    const std::string what = step.name();
    oracle_.note_fault();
    static constexpr milliseconds times[] = {milliseconds(1), milliseconds(300), seconds(2), seconds(9), seconds(25)};
    const Duration time = times[step.choice % std::size(times)];
    oracle_.note(what + " of " + node.name() + " for " +
                 std::to_string(std::chrono::duration_cast<milliseconds>(time).count()) + " ms");
    if (what == "cut commands") node.link().cut_commands(time);
    if (what == "cut channels") node.link().cut_channels(time);
    if (what == "partition") node.link().partition(time);
    if (what == "pause") pause(node, time);
    if (what == "kill") kill(at);
    if (what != "refuse") return;
    node.link().refuse(true);
    agenda_.after(time, [&node, door = node.door_ptr()] {
        if (!door->gone()) node.link().refuse(false);
    });
}

void ClusterSim::pause(SimNode& node, Duration time) {
    if (node.door().paused()) return;
    node.door().pause();
    agenda_.after(time, [door = node.door_ptr()] { door->resume(); });
}

void ClusterSim::kill(std::size_t node) {
    nodes_[node]->kill();
    nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(node));
    agenda_.after(milliseconds(dice_.below(6000)), [this] { start_node(); });
}

// ---- the end

void ClusterSim::finish() {
    if (!failure()) end_faults();
    if (!failure()) end_clients();
    if (!failure()) require_nothing_left();
}

void ClusterSim::end_faults() {
    oracle_.note("the faults end");
    run_for(seconds(45));
    std::string why;
    const bool over = run_until(
        [&] {
            const auto settled = [&](const auto& client) { return client->settled(why); };
            return std::ranges::all_of(clients_, settled) && std::ranges::all_of(task_clients_, settled);
        },
        seconds(150));
    oracle_.require(over, why + ", although the faults are over");
    run_for(seconds(3));
    for (const auto& client : clients_) client->require_all();
}

void ClusterSim::end_clients() {
    oracle_.note("the clients end");
    for (const auto& client : clients_) client->stop_opening(), client->end_session();
    oracle_.require(
        run_until([&] { return std::ranges::all_of(clients_, [](const auto& client) { return client->ended(); }); },
                  seconds(60)),
        "a session cannot be ended");
}

void ClusterSim::require_nothing_left() {
    const auto is_empty = [](const auto& node) {
        return node->endpoint().sessions() == 0 && node->endpoint().idle() && node->working() == 0;
    };
    run_until([&] { return std::ranges::all_of(nodes_, is_empty); }, minutes(4));
    for (const auto& node : nodes_) {
        oracle_.require(node->endpoint().sessions() == 0, node->name() + " has an unused session");
        oracle_.require(node->endpoint().idle(), node->name() + " still has work");
        oracle_.require(node->working() == 0, "a handler still works on " + node->name());
    }
    nodes_.clear();
    const std::size_t left = store_.bytes_after(std::chrono::hours(26));
    oracle_.require(left == 0, std::to_string(left) + " bytes are left in the store");
}

std::optional<std::string> run_seed(std::uint64_t seed, Mutant mutant, std::string* trace) {
    constexpr std::size_t steps = 40;
    Dice dice(seed);
    ClusterSim sim({.seed = dice.next(), .nodes = 2 + dice.below(2), .clients = 1 + dice.below(3), .mutant = mutant});
    for (std::size_t i = 0; i < steps; ++i)
        sim.take({dice.below(ClusterStep::names().size()), dice.below(60), dice.below(60)});
    sim.finish();
    if (trace) *trace = sim.trace();
    return sim.failure();
}

}  // namespace tenon::test
