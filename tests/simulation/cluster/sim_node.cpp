#include "simulation/cluster/sim_node.hpp"

#include "support/http_exchange.hpp"

namespace tenon::test {

// ---- the connection of a request

void Exchange::to_client(std::function<void()> work) {
    arrives_ = std::max(arrives_, world_.agenda.now() + world_.delay());
    world_.agenda.at(arrives_, [self = shared_from_this(), work = std::move(work)] {
        if (self->open()) work();
    });
}

// A dead node says nothing. What it had begun ends when it is destroyed, with errors that no client gets.
bool Exchange::node_is_dead() const { return door_ && door_->gone(); }

void Exchange::respond(web::Response response) {
    if (node_is_dead()) return;
    world_.oracle.require(!over_ && !begun_, "a node answered a request twice");
    over_ = true;
    to_client([this, response = std::move(response)] {
        complete_ = true;
        to_.on_response(response);
    });
}

void Exchange::begin_stream(web::Fields) {
    if (node_is_dead()) return;
    world_.oracle.require(!over_ && !begun_, "a node began a response twice");
    begun_ = true;
    to_client([this] {
        if (to_.on_stream) to_.on_stream();
    });
}

void Exchange::write(std::string bytes) {
    if (node_is_dead()) return;
    world_.oracle.require(!over_ && begun_, "a node wrote to a stream that is not open");
    to_client([this, bytes = std::move(bytes)] {
        if (to_.on_bytes) to_.on_bytes(bytes);
    });
}

void Exchange::end() {
    if (node_is_dead()) return;
    world_.oracle.require(!over_ && begun_, "a node ended a stream that is not open");
    over_ = true;
    to_client([this] {
        complete_ = true;
        if (to_.on_end) to_.on_end();
    });
}

void Exchange::send(SimNode& node) {
    node_ = node.name();
    door_ = node.door_ptr();
    node.exchanges_.push_back(shared_from_this());
    world_.agenda.after(world_.delay(), [self = shared_from_this(), &node, door = door_] {
        if (door->gone()) return self->lose();
        door->pass([self, &node] { node.serve(self); });
    });
}

void Exchange::lose() {
    if (!open()) return;
    lost_ = true;
    tell_node();
    to_.on_lost();
}

void Exchange::leave() {
    if (!open()) return;
    lost_ = true;
    tell_node();
}

void Exchange::node_died() {
    if (lost_) return;
    // What was on its way to the client may still arrive. After that, the connection is reset.
    to_client([this] {
        lost_ = true;
        to_.on_lost();
    });
}

void Exchange::tell_node() {
    if (told_ || !door_) return;
    told_ = true;
    world_.agenda.after(world_.delay(), [self = shared_from_this(), door = door_] {
        door->pass([self] {
            if (!self->served_) return;  // serve() notices it
            if (self->responder_ && !self->over_) std::exchange(self->responder_, {})->client_gone(*self);
        });
    });
}

// ---- a node

struct SimNode::Work {
    Work(Context context, std::string text, int times, Reply<std::string> to, bool question)
        : ctx(std::move(context)), token(std::move(text)), count(times), reply(std::move(to)), asks(question) {}
    Context ctx;
    std::string token;
    int count, said = 0;
    Reply<std::string> reply;
    bool asks;
};

SimNode::SimNode(StoreModel& world, std::string name, Duration skew, const Limits& limits)
    : world_(world),
      name_(std::move(name)),
      link_(std::make_shared<StoreLink>(world, door_)),
      server_("cluster", "1", {.limits = limits, .wall_clock = [&world, skew] {
                                   return world.now() + std::chrono::duration_cast<WallTime::duration>(skew);
                               }}) {
    link_->start();
    world.connect(link_);
    store_ = std::make_shared<store::Front<StoreLink>>(link_, StoreOptions());
    add_tools();
    EndpointOptions options;
    options.cluster = std::make_shared<ClusterNode>(store_, name_);
    options.state_key = std::array<std::uint8_t, 32>{7};
    options.authenticate = [](std::string_view who) { return std::optional(std::string(who)); };
    // These may be called after the end of this object, when the last references to the endpoint go.
    options.post = [&world, door = door_](const HttpPeerPtr&, std::function<void()> work) {
        world.agenda.after(world.delay(), [door, work = std::move(work)] { door->pass(work); });
    };
    options.clock = [&world, skew] { return world.agenda.now() + skew; };
    options.new_session_id = [name = name_, made = std::make_shared<int>()] {
        return "session-" + name + "-" + std::to_string(++*made);
    };
    endpoint_ = std::make_shared<HttpEndpoint>(server_, std::move(options));
    endpoint_->join_cluster();
    tick();
}

SimNode::~SimNode() { kill(); }

void SimNode::kill() {
    if (door_->gone()) return;
    door_->close();
    link_->kill();
    for (const auto& exchange : std::exchange(exchanges_, {})) exchange->node_died();
    works_.clear();
    endpoint_->shut_down("killed");
    endpoint_.reset();
    store_.reset();
}

void SimNode::tick() {
    world_.agenda.after(std::chrono::milliseconds(500), [this, door = door_] {
        if (door->gone()) return;
        door->pass([this] {
            endpoint_->tick();
            std::erase_if(exchanges_, [](const auto& exchange) { return !exchange->open(); });
        });
        if (!door->gone()) tick();
    });
}

void SimNode::serve(const std::shared_ptr<Exchange>& exchange) {
    if (exchange->lost_ && world_.dice.one_in(2)) return;  // it was lost before the request arrived
    std::string fields = exchange->fields;
    if (exchange->method == "POST")
        fields += "Content-Type: application/json\r\nContent-Length: " + std::to_string(exchange->body.size()) + "\r\n";
    const Head head(exchange->method, "/mcp", fields);
    const auto again = [this, door = door_, exchange] {
        if (door->gone()) return;  // the store may answer after the node was killed
        world_.agenda.after(Duration::zero(),
                            [this, door, exchange] { door->pass([this, exchange] { serve(exchange); }); });
    };
    auto admission = endpoint_->admit(head, again, {}, "192.0.2.1");
    if (!admission) return;
    exchange->served_ = true;
    if (auto* refused = std::get_if<web::Response>(&*admission)) return exchange->respond(std::move(*refused));
    exchange->responder_ =
        endpoint_->handle(std::get<HttpEndpoint::Admitted>(*admission), head, exchange->body, exchange);
    if (exchange->lost_ && exchange->responder_ && !exchange->over_)
        std::exchange(exchange->responder_, {})->client_gone(*exchange);
}

// ---- its tools

void SimNode::add_tools() {
    const auto arguments = args(arg<std::string>("token", "Whose"), arg<int>("count", "How often"));
    server_.tool("quick", "Answers at once", arguments, [this](Context&, const std::string& token, int) {
        world_.oracle.began(token, name_);
        return token + "@" + name_;
    });
    server_.tool("talk", "Says something so often, then answers", arguments,
                 [this](Context& ctx, const std::string& token, int count, Reply<std::string> reply) {
                     begin(ctx, token, count, std::move(reply), false);
                 });
    server_.tool("ask", "Says something so often, then asks the user", arguments,
                 [this](Context& ctx, const std::string& token, int count, Reply<std::string> reply) {
                     begin(ctx, token, count, std::move(reply), true);
                 });
    server_.tool("work", "Works so long", arguments,
                 [this](Context& ctx, const std::string& token, int count, Reply<std::string> reply) {
                     begin(ctx, token, count, std::move(reply), false);
                 },
                 {.task = TaskSupport::optional});
    server_.tool("asks", "Works so long, then asks the user", arguments,
                 [this](Context& ctx, const std::string& token, int count, Reply<std::string> reply) {
                     begin(ctx, token, count, std::move(reply), true);
                 },
                 {.task = TaskSupport::required});
    server_.resource("note://a", "a", [] { return "text"; });
}

void SimNode::begin(Context& ctx, const std::string& token, int count, Reply<std::string> reply, bool asks) {
    world_.oracle.began(token, name_);
    const auto work = std::make_shared<Work>(ctx, token, count, std::move(reply), asks);
    works_.insert(work);
    go_on(work);
}

void SimNode::go_on(const std::shared_ptr<Work>& work) {
    if (!works_.contains(work)) return;
    if (work->ctx.cancelled()) {
        world_.oracle.note(name_ + ": the handler of " + work->token + " stops");
        return end(work, "stopped");
    }
    if (work->said >= work->count) return work->asks ? ask(work) : end(work, work->token + "@" + name_);
    const std::string text = work->token + "/" + std::to_string(work->said++);
    work->ctx.task_id().empty() ? work->ctx.info(text) : work->ctx.progress(work->said, work->count, text);
    // Some handlers take longer than the lease of a node.
    const std::size_t most = world_.dice.one_in(6) ? 12'000 : 700;
    world_.agenda.after(std::chrono::milliseconds(world_.dice.below(most)),
                        [this, door = door_, work] { door->pass([this, work] { go_on(work); }); });
}

void SimNode::ask(const std::shared_ptr<Work>& work) {
    static const json::object form{{"type", "object"},
                                   {"properties", json::object{{"name", json::object{{"type", "string"}}}}}};
    auto take = [this, door = door_, work](Result<ElicitResult> answer) {
        if (door->gone()) return;
        if (!answer) {
            works_.erase(work);
            return std::move(work->reply).send(answer.error());
        }
        const json::value* name = answer->content.if_contains("name");
        end(work, work->token + "@" + name_ + "+" + (name ? std::string(name->as_string()) : "nothing"));
    };
    work->ctx.async_elicit(work->token, form, make_reply<ElicitResult>(std::move(take)), "who");
}

void SimNode::end(const std::shared_ptr<Work>& work, const std::string& text) {
    works_.erase(work);
    std::move(work->reply).send(text);
}

}  // namespace tenon::test
