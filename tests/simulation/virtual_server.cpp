#include "simulation/virtual_server.hpp"

#include <cstdio>

#include "runtime/server_impl.hpp"

namespace tenon::test {
namespace {

constexpr Duration tick_time = 1s;  // a real server ticks twice as often

const json::object& form() {
    static const json::object out{{"type", "object"},
                                  {"properties", json::object{{"word", json::object{{"type", "string"}}}}},
                                  {"required", json::array{"word"}}};
    return out;
}

Limits limits_of(Room room) {
    Limits out;
    out.handler_time = 90s;
    out.ask_time = 40s;
    out.session_idle_time = 60s;
    out.unused_session_time = 30s;
    out.connection_idle_time = 30s;
    out.write_time = 20s;
    out.max_stored_event_bytes = 256 * 1024;
    out.memory_budget = room == Room::plenty ? 512 * 1024 * 1024 : 3 * 1024 * 1024;
    out.peer_memory_share = room == Room::plenty ? 128 * 1024 * 1024 : 512 * 1024;
    return out;
}

void ask(const Context& ctx, const std::string& mark, Reply<std::string> reply) {
    const auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
    ctx.async_elicit(mark, form(), make_reply<ElicitResult>([kept, mark](Result<ElicitResult> answer) {
                         if (!answer) return std::move(*kept).send(answer.error());
                         if (answer->action != ElicitAction::accept)
                             return std::move(*kept).send(std::string("declined"));
                         std::move(*kept).send(mark + "+" + std::string(answer->content.at("word").as_string()));
                     }));
}

void add_tools(Server& s) {
    const auto arguments = args(arg<std::string>("mark", "The secret of the call"));
    s.tool("echo", "Answers at once", arguments, [](Context& ctx, std::string mark) {
        handlers->ran(ctx, mark);
        return mark;
    });
    s.tool("slow", "Answers later", arguments, [](Context& ctx, const std::string& mark, Reply<std::string> reply) {
        handlers->ran(ctx, mark);
        handlers->answer_later(mark, std::move(reply), 5s);
    });
    s.tool("talk", "Reports progress and logs, then answers", arguments,
           [](Context& ctx, const std::string& mark, Reply<std::string> reply) {
               handlers->ran(ctx, mark);
               handlers->talk(ctx, mark, std::move(reply));
           });
    s.tool("poll", "Lets its client come back", arguments,
           [](Context& ctx, const std::string& mark, Reply<std::string> reply) {
               handlers->ran(ctx, mark);
               ctx.let_poll(std::chrono::milliseconds(200));
               handlers->answer_later(mark, std::move(reply), 3s);
           });
    s.tool("ask", "Asks the user", arguments,
           [](Context& ctx, const std::string& mark, Reply<std::string> reply) { ask(ctx, mark, std::move(reply)); });
    s.tool("bulk", "Has a large result", arguments, [](Context& ctx, const std::string& mark) {
        handlers->ran(ctx, mark);
        return mark + std::string(Ledger::bulk_bytes, 'b');
    });
    s.resource_template("mem://{mark}", "memory", [](const ResourceRequest& request) { return request.var("mark"); });
}

}  // namespace

// ---- handlers

// The dice of a call depend on its mark only, not on the order of the calls.
Dice Handlers::dice_of(const std::string& mark) { return Dice(std::hash<std::string>()(mark)); }

void Handlers::ran(const Context& ctx, const std::string& mark) {
    ++runs[mark];
    const auto owner = Mark::owner_of(mark);
    oracle.require(owner.has_value(), "a call has no mark");
    if (owner)
        oracle.require(ctx.principal() == principal_of(*owner), "a call of " + mark + " runs as " + ctx.principal());
}

void Handlers::answer_later(const std::string& text, Reply<std::string> reply, Duration most) {
    const auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
    const auto wait = std::chrono::duration_cast<std::chrono::microseconds>(most).count();
    Dice own = dice_of(text);
    agenda.after(std::chrono::microseconds(own.below(static_cast<std::size_t>(wait))),
                 [kept, text] { std::move(*kept).send(text); });
}

void Handlers::talk(const Context& ctx, const std::string& mark, Reply<std::string> reply) {
    Duration when{};
    Dice own = dice_of(mark);
    for (int i = 0; i < Ledger::talk_reports; ++i) {
        when += std::chrono::milliseconds(own.below(800));
        agenda.after(when, [ctx, mark, i] {
            ctx.progress(i + 1, Ledger::talk_reports, mark + "/" + std::to_string(i));
            ctx.info(mark + "/" + std::to_string(i));
        });
    }
    agenda.after(
        when, [kept = std::make_shared<Reply<std::string>>(std::move(reply)), mark] { std::move(*kept).send(mark); });
}

// ---- the server

VirtualServer::VirtualServer(Agenda& agenda, Dice& dice, Network& network, Oracle& oracle, Room room,
                             EndpointOptions options, Duration admission_time)
    : agenda_(agenda),
      dice_(dice),
      oracle_(oracle),
      product_("simulated", "1", {.limits = limits_of(room)}),
      options_([&] {
          options.entry.origins.any_host = true;
          options.clock = [&agenda] { return agenda.now(); };
          options.new_session_id = [this] {
              std::array<char, Oracle::session_size + 1> id{};
              std::snprintf(id.data(), id.size(), "sid-%08d", ++sessions_made_);
              return std::string(id.data());
          };
          options.post = [this](const HttpPeerPtr& peer, Agenda::Work work) {
              if (peer) peers_[peer->number] = peer;
              agenda_.after(std::chrono::microseconds(dice_.below(3000)), std::move(work));
          };
          return std::move(options);
      }()),
      admission_time_(admission_time) {
    add_tools(product_);
    start();
    network.listen(std::string(host), [this](std::unique_ptr<HttpSocket> socket) { accept(std::move(socket)); });
    plan_tick();
}

VirtualServer::~VirtualServer() {
    endpoint_->shut_down("the world ends");
    for (const auto& [number, connection] : std::map(connections_)) connection->close(connection_ends::server_stops);
}

void VirtualServer::start() {
    endpoint_ = std::make_shared<HttpEndpoint>(product_, options_);
    HttpConnection::Shared shared{endpoint_, product_.limits()};
    shared.clock = [this] { return agenda_.now(); };
    shared.admission_time = admission_time_;
    shared_ = std::make_shared<const HttpConnection::Shared>(std::move(shared));
}

void VirtualServer::restart() {
    endpoint_->shut_down("the server restarts");
    for (const auto& [number, connection] : std::map(connections_)) connection->close(connection_ends::server_stops);
    start();
}

void VirtualServer::accept(std::unique_ptr<HttpSocket> socket) {
    if (agenda_.now() < redirects_until_) {
        const auto respond = [](const framing::HttpRequest&, const std::string&) {
            return PlainConnection::Response{307, "", "Location: https://evil.example/mcp\r\n"};
        };
        return std::make_shared<PlainConnection>(agenda_, std::move(socket), respond)->serve();
    }
    const auto connection =
        std::make_shared<HttpConnection>(std::move(socket), "network", *agenda_.context(), turns_, shared_,
                                         [this, number = ++accepted_](HttpConnection*) { connections_.erase(number); });
    connections_.emplace(accepted_, connection);
    connection->start();
}

void VirtualServer::plan_tick() {
    agenda_.after(tick_time, [this] { tick(), plan_tick(); });
}

void VirtualServer::tick() {
    endpoint_->tick();
    for (const auto& [number, connection] : std::map(connections_)) connection->check_time(agenda_.now());
}

const base::MemoryBudget& VirtualServer::budget() const { return *product_.impl()->budget(); }

void VirtualServer::check_memory() {
    oracle_.require(budget().used() <= budget().total(), "the server holds more memory than its budget");
    for (auto it = peers_.begin(); it != peers_.end();) {
        const HttpPeerPtr peer = it->second.lock();
        if (peer)
            oracle_.require(peer->memory->used() <= peer->memory->share(), "a peer holds more memory than its share");
        it = peer ? std::next(it) : peers_.erase(it);
    }
}

void VirtualServer::require_empty() {
    oracle_.require(connections_.empty(), "a connection is still open");
    oracle_.require(endpoint_->sessions() == 0, "a session is still open");
    oracle_.require(endpoint_->idle(), "a request is still running");
    const std::size_t left = budget().used() - product_.impl()->shared_memory();
    oracle_.require(left == 0, "memory is still charged after all clients have gone: " + std::to_string(left));
}

}  // namespace tenon::test
