#include "simulation/world.hpp"

namespace tenon::test {
namespace {

const std::vector<std::string>& tools() {
    static const std::vector<std::string> out{"echo", "slow", "talk", "ask", "poll", "bulk"};
    return out;
}

constexpr Duration longest_effect = 20s;   // of a fault: the longest stall, and some time to notice it
constexpr Duration time_to_forget = 100s;  // until the server has ended sessions that are not used any more

std::string token_of(std::size_t client) { return "Bearer " + principal_of(client); }

}  // namespace

std::ostream& operator<<(std::ostream& out, Identity identity) {
    return out << (identity == Identity::anonymous ? "anonymous" : "with tokens");
}
std::ostream& operator<<(std::ostream& out, Room room) {
    return out << (room == Room::plenty ? "much memory" : "little memory");
}
std::ostream& operator<<(std::ostream& out, const WorldOptions& o) {
    return out << "seed " << o.seed << ", " << o.clients << " clients, " << o.identity << ", " << o.room << ", "
               << (o.faults ? "faults" : "no faults");
}

std::ostream& operator<<(std::ostream& out, const WorldStep& s) {
    return out << s.name() << " " << s.client << " " << s.choice;
}

// Common steps are listed several times.
const std::vector<std::string>& WorldStep::names() {
    static const std::vector<std::string> out{"call",  "call",   "call",       "call",   "call",   "call",    "wait",
                                              "wait",  "cancel", "subscribe",  "update", "update", "sleep",   "reset",
                                              "reset", "cut",    "half close", "stall",  "refuse", "restart", "leave"};
    return out;
}

World::World(WorldOptions options)
    : options_(options),
      dice_(options.seed),
      network_(agenda_, dice_,
               [this](const Link& link, Side from, std::string_view bytes) { oracle_.saw(link, from, bytes); }),
      handlers_{agenda_, oracle_, options.identity != Identity::anonymous},
      server_(agenda_, dice_, network_, oracle_, options.room, endpoint_options()) {
    handlers = &handlers_;
    for (std::size_t i = 0; i < options_.clients; ++i) clients_.push_back(make_client(i));
}

World::~World() {
    clients_.clear();
    agenda_.run_posted();
    server_.restart();
    agenda_.clear();
    agenda_.run_posted();
    agenda_.clear();
    handlers = nullptr;
}

EndpointOptions World::endpoint_options() const {
    EndpointOptions out;
    if (options_.identity == Identity::fixed_token)
        out.authenticate = [](std::string_view value) -> std::optional<std::string> {
            if (!value.starts_with("Bearer ")) return std::nullopt;
            return std::string(value.substr(7));
        };
    return out;
}

std::unique_ptr<VirtualClient> World::make_client(std::size_t number) {
    static constexpr Era eras[] = {Era::automatic, Era::legacy, Era::modern, Era::legacy};
    VirtualClient::Options out{.number = number, .era = dice_.pick(eras), .seed = dice_.next()};
    out.host = VirtualServer::host;
    if (options_.identity == Identity::fixed_token) out.headers = {{"Authorization", token_of(number)}};
    return std::make_unique<VirtualClient>(
        VirtualClient::Setting{agenda_, network_, oracle_, ledger_, [this](const std::string& s) { note(s); }}, out);
}

// A client that could not connect has given up. Its user tries again with a new one.
VirtualClient& World::living(std::size_t number) {
    if (clients_[number]->over()) clients_[number] = make_client(number);
    return *clients_[number];
}

void World::note(const std::string& line) {
    const auto ms = std::chrono::duration_cast<std::chrono::microseconds>(agenda_.now() - TimePoint() - 24h).count();
    trace_ += std::to_string(ms) + " " + line + "\n";
}

// ---- time

void World::run_for(Duration time) {
    run_until([] { return false; }, time);
}

bool World::run_until(const std::function<bool()>& done, Duration most) {
    const TimePoint until = later(agenda_.now(), most);
    while (!done() && !failure()) {
        if (!agenda_.step(until)) return agenda_.advance_to(until), done();
        server_.check_memory();
    }
    return done();
}

// ---- steps

void World::take(const WorldStep& step) {
    if (failure()) return;
    const std::string name = step.name();
    VirtualClient& client = living(step.client % clients_.size());
    if (name == "call") {
        client.call(tools()[step.choice % tools().size()]);
    } else if (name == "wait") {
        run_for(std::chrono::milliseconds(step.choice * 30));
    } else if (name == "cancel") {
        client.cancel(step.choice);
    } else if (name == "subscribe") {
        client.subscribe();
    } else if (name == "update") {
        server_.resource_updated(client.uri());
    } else if (name == "sleep") {
        run_for(std::chrono::seconds(10 + step.choice * 3));
    } else if (options_.faults) {
        fault(step);
    }
    run_for(std::chrono::microseconds(dice_.below(20'000)));
}

void World::blame(std::size_t client, Duration lasting, const std::string& what) {
    note(what + (client == Causes::everyone ? "" : " of client " + std::to_string(client)));
    ledger_.causes.add(client, agenda_.now(), lasting, what);
}

void World::fault(const WorldStep& step) {
    const std::string name = step.name();
    const std::size_t number = step.client % clients_.size();
    const auto links = network_.links_of(number);
    const Duration time = std::chrono::milliseconds(step.choice * 250);
    if (name == "refuse") {
        blame(number, time, "refuses connections");
        network_.refuse(number, time);
    } else if (name == "restart") {
        blame(Causes::everyone, 0s, "the server restarts");
        server_.restart();
    } else if (name == "leave") {
        blame(number, 0s, "a new client instead");
        clients_[number].reset();
        clients_[number] = make_client(number);
    } else if (!links.empty()) {
        Link& link = *links[step.choice % links.size()];
        blame(number, name == "stall" ? time : 0s, name + " connection " + std::to_string(link.number));
        if (name == "reset") link.reset();
        if (name == "cut") link.cut();
        if (name == "half close") link.half_close();
        if (name == "stall") link.stall(time);
    }
}

// ---- the end

void World::finish() {
    note("the faults end");
    run_until([this] { return ledger_.open() == 0; }, 10min);
    oracle_.require(ledger_.open() == 0, "a call never ended");
    run_for(longest_effect);
    for (std::size_t i = 0; i < clients_.size(); ++i) living(i).call("echo");
    run_until([this] { return ledger_.open() == 0; }, 10min);
    oracle_.require(ledger_.open() == 0, "a call never ended after the faults");
    for (const auto& client : clients_) client->finish();
    run_for(time_to_forget);
    for (const auto& client : clients_)
        oracle_.require(client->finished(), "client " + std::to_string(client->number()) + " does not finish");
    clients_.clear();
    run_for(1s);
    oracle_.require(network_.links().empty(), "a connection is still open");
    if (!failure()) server_.require_empty();
}

}  // namespace tenon::test
