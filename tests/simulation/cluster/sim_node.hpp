// One node of a simulated cluster: a real server and endpoint, without sockets and threads. It can be paused and
// killed.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include <tenon/context.hpp>
#include <tenon/server.hpp>

#include "simulation/cluster/store_model.hpp"
#include "transport/http_server/endpoint.hpp"

namespace tenon::test {

class SimNode;

/// An HTTP request and its response, on the way between a client and a node. Outputs arrive in order, or not at all.
class Exchange final : public web::ResponseWriter, public std::enable_shared_from_this<Exchange> {
 public:
    /// What a client sees. All are called at most once for each event.
    struct Client {
        std::function<void(const web::Response&)> on_response;
        std::function<void()> on_stream = {};
        std::function<void(std::string_view bytes)> on_bytes = {};
        std::function<void()> on_end = {};
        std::function<void()> on_lost;  ///< the connection broke
    };
    Exchange(StoreModel& world, std::string verb, std::string head, std::string text, Client to)
        : method(std::move(verb)), fields(std::move(head)), body(std::move(text)), world_(world), to_(std::move(to)) {}

    const std::string method, fields, body;

    void respond(web::Response response) override;
    void begin_stream(web::Fields with) override;
    void write(std::string bytes) override;
    void end() override;

    /// Sends the request.
    void send(SimNode& node);
    /// Breaks the connection. The client learns of it at once, and the node later.
    void lose();
    /// The client ends the connection, and expects nothing more of it.
    void leave();
    bool open() const { return !lost_ && !complete_; }
    const std::string& node() const { return node_; }
    /// The node is gone.
    void node_died();

 private:
    friend class SimNode;
    void to_client(std::function<void()> work);
    void tell_node();
    bool node_is_dead() const;

    StoreModel& world_;
    Client to_;
    std::string node_ = {};
    std::shared_ptr<Door> door_ = {};
    std::shared_ptr<web::Responder> responder_ = {};
    TimePoint arrives_{};
    bool begun_ = false, over_ = false;     // as the node sees it
    bool lost_ = false, complete_ = false;  // as the client sees it
    bool served_ = false, told_ = false;
};

class SimNode {
 public:
    /// `skew`: of its wall clock.
    SimNode(StoreModel& world, std::string name, Duration skew, const Limits& limits);
    ~SimNode();
    SimNode(const SimNode&) = delete;
    SimNode& operator=(const SimNode&) = delete;

    const std::string& name() const { return name_; }
    StoreLink& link() { return *link_; }
    Door& door() { return *door_; }
    const std::shared_ptr<Door>& door_ptr() const { return door_; }
    HttpEndpoint& endpoint() { return *endpoint_; }
    Server& server() { return server_; }

    void serve(const std::shared_ptr<Exchange>& exchange);
    /// Stops without a word. Everything in its memory is lost.
    void kill();
    std::size_t working() const { return works_.size(); }

 private:
    friend class Exchange;
    struct Work;
    void add_tools();
    void begin(Context& ctx, const std::string& token, int count, Reply<std::string> reply, bool asks);
    void go_on(const std::shared_ptr<Work>& work);
    void ask(const std::shared_ptr<Work>& work);
    void end(const std::shared_ptr<Work>& work, const std::string& text);
    void tick();

    StoreModel& world_;
    const std::string name_;
    const std::shared_ptr<Door> door_ = std::make_shared<Door>();
    const std::shared_ptr<StoreLink> link_;
    std::set<std::shared_ptr<Work>> works_;
    std::vector<std::shared_ptr<Exchange>> exchanges_;
    Server server_;
    std::shared_ptr<Store> store_;
    std::shared_ptr<HttpEndpoint> endpoint_;
};

}  // namespace tenon::test
