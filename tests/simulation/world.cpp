#include "simulation/world.hpp"

namespace tenon::test {
namespace {

const std::vector<std::string>& tools() {
    static const std::vector<std::string> out{"echo", "slow", "talk", "ask", "poll", "bulk"};
    return out;
}

constexpr Duration longest_effect = 80s;   // of a fault: the slowest sign-in, and some time to notice it
constexpr Duration time_to_forget = 100s;  // until the server has ended sessions that are not used any more

constexpr Duration slowest_authority = 60s;   // for all steps of a sign-in
constexpr Duration time_to_fetch_keys = 35s;  // see ResourceLimits::key_retry_time
constexpr std::size_t the_server = 99;        // owns the connections of the server to the authorisation server

auth::ResourceServer access_rules() {
    auth::ResourceServer out;
    out.issuer = AuthorisationServer::issuer();
    out.audience = VirtualServer::url();
    out.scopes = {"mcp"};
    out.needs.tools = {{"talk", {"talk"}}, {"ask", {"ask"}}};
    return out;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Identity identity) {
    static constexpr std::string_view names[] = {"anonymous", "with fixed tokens", "signing in"};
    return out << names[static_cast<std::size_t>(identity)];
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
    static const std::vector<std::string> out{"call",   "call",    "call",   "call",      "call",       "call",
                                              "wait",   "wait",    "cancel", "subscribe", "update",     "update",
                                              "sleep",  "reset",   "reset",  "cut",       "half close", "stall",
                                              "refuse", "restart", "leave",  "redirect",  "authority",  "authority"};
    return out;
}

World::World(WorldOptions options)
    : options_(options),
      dice_(options.seed),
      network_(agenda_, dice_,
               [this](const Link& link, Side from, std::string_view bytes) {
                   note_head(link, bytes);
                   oracle_.saw(link, from, bytes);
               }),
      authority_(agenda_, dice_, network_, oracle_, VirtualServer::url()),
      keys_(agenda_, network_, the_server),
      handlers_{agenda_, oracle_, [this](std::size_t client) { return principal_of(client); }},
      server_(agenda_, dice_, network_, oracle_, options.room, endpoint_options(), 10s) {
    handlers = &handlers_;
    if (options_.room == Room::tight) ledger_.causes.add(Causes::everyone, agenda_.now(), 1h, "there is little memory");
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

std::string World::principal_of(std::size_t client) const {
    const std::string subject = "user-" + std::to_string(client);
    switch (options_.identity) {
        case Identity::anonymous: return "";
        case Identity::fixed_token: return subject;
        default: return AuthorisationServer::issuer() + "#" + subject;
    }
}

EndpointOptions World::endpoint_options() {
    EndpointOptions out;
    if (options_.identity == Identity::signs_in) add_token_gate(out);
    if (options_.identity == Identity::fixed_token)
        out.authenticate = [](std::string_view value) -> std::optional<std::string> {
            if (!value.starts_with("Bearer ")) return std::nullopt;
            return std::string(value.substr(7));
        };
    return out;
}

void World::add_token_gate(EndpointOptions& options) {
    auto gate = std::make_unique<auth::TokenGate>(access_rules(), auth::DpopNonces::Secret{});
    const auto& metadata = gate->metadata();
    options.entry.documents = {{metadata->path, metadata->document}};
    SharedTokenGate::Options how;
    how.clock = [this] {
        return auth::Now{WallTime(std::chrono::seconds(AuthorisationServer::seconds(agenda_.now()))), agenda_.now()};
    };
    how.note = [](LogLevel, std::string_view) {};
    how.fetch = [this](auth::FetchOrder order, SharedTokenGate::Fetched done) {
        keys_.fetch({order.method, web::parse_url(order.url).value(), order.fields, order.body},
                    [done = std::move(done)](Result<VirtualFetcher::Answer> answer) {
                        if (!answer) return done(answer.error());
                        if (answer->status == 200) return done(std::move(answer->body));
                        done(Error{code::invalid_answer, "status " + std::to_string(answer->status)});
                    });
    };
    options.admission = std::make_shared<SharedTokenGate>(std::move(gate), std::move(how));
}

std::unique_ptr<VirtualClient> World::make_client(std::size_t number) {
    static constexpr Era eras[] = {Era::automatic, Era::legacy, Era::modern, Era::legacy};
    VirtualClient::Options out{.number = number, .era = dice_.pick(eras), .seed = dice_.next()};
    out.host = VirtualServer::host;
    if (options_.identity == Identity::fixed_token) out.headers = {{"Authorization", "Bearer " + principal_of(number)}};
    return std::make_unique<VirtualClient>(
        VirtualClient::Setting{agenda_, network_, oracle_, ledger_, [this](const std::string& s) { note(s); },
                               options_.identity == Identity::signs_in ? &authority_ : nullptr},
        out);
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

// Writes the first line of each request and response into the trace.
void World::note_head(const Link& link, std::string_view bytes) {
    constexpr std::string_view beginnings[] = {"GET /", "POST /", "DELETE /", "HTTP/1.1 "};
    if (std::ranges::none_of(beginnings, [&](std::string_view b) { return bytes.starts_with(b); })) return;
    note("connection " + std::to_string(link.number) + ": " + std::string(bytes.substr(0, bytes.find('\r'))));
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
    if (name == "authority") {
        fault_of_authority(step);
    } else if (name == "redirect") {
        blame(Causes::everyone, time, "redirects to another server");
        server_.redirect_for(time);
    } else if (name == "refuse") {
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

void World::fault_of_authority(const WorldStep& step) {
    const Duration time = std::chrono::milliseconds(step.choice * 250);
    switch (step.client % 4) {
        case 0: blame(Causes::everyone, time, "the authorisation server fails"); return authority_.fail_for(time);
        case 1:
            blame(Causes::everyone, time + slowest_authority, "the authorisation server is slow");
            return authority_.be_slow_for(time);
        case 2:
            blame(Causes::everyone, time_to_fetch_keys, "the authorisation server changes its key");
            return authority_.change_key();
        default:
            note("the authorisation server forgets refresh tokens");  // not a cause: users can sign in again
            return authority_.forget_refresh_tokens();
    }
}

// ---- the end

void World::finish() {
    note("the faults end");
    run_until([this] { return ledger_.open() == 0; }, 10min);
    oracle_.require(ledger_.open() == 0, "a call never ended");
    run_for(options_.faults ? longest_effect : 1s);
    ledger_.causes.end(agenda_.now());
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
