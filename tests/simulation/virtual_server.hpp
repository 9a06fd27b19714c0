// The server of a simulated world: the endpoint and its connections, without an acceptor, threads and sockets.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tenon/server.hpp>

#include "simulation/ledger.hpp"
#include "simulation/plain_connection.hpp"
#include "transport/http_server/connection.hpp"
#include "transport/http_server/endpoint.hpp"

namespace tenon::test {

/// What the handlers of the running world use.
struct Handlers {
    Agenda& agenda;
    Oracle& oracle;
    /// Returns the principal of a client; empty when callers are anonymous.
    std::function<std::string(std::size_t)> principal_of;
    std::map<std::string, int> runs = {};  ///< how often each call ran

    void ran(const Context& ctx, const std::string& mark);
    void talk(const Context& ctx, const std::string& mark, Reply<std::string> reply);
    static Dice dice_of(const std::string& mark);
    void answer_later(const std::string& text, Reply<std::string> reply, Duration most);
};
inline Handlers* handlers = nullptr;

enum class Room { plenty, tight };
std::ostream& operator<<(std::ostream& out, Room room);

class VirtualServer {
 public:
    static constexpr std::string_view host = "mcp.example";
    static std::string url() { return "https://" + std::string(host) + "/mcp"; }

    VirtualServer(Agenda& agenda, Dice& dice, Network& network, Oracle& oracle, Room room, EndpointOptions options,
                  Duration admission_time = {});
    ~VirtualServer();
    VirtualServer(const VirtualServer&) = delete;
    VirtualServer& operator=(const VirtualServer&) = delete;

    /// Sends all requests of new connections to another server, for some time.
    void redirect_for(Duration time) { redirects_until_ = later(agenda_.now(), time); }
    /// Loses all sessions, and all connections.
    void restart();
    void resource_updated(const std::string& uri) { product_.resource_updated(uri); }
    void check_memory();
    /// Requires that the server holds nothing: all clients have gone long ago.
    void require_empty();

 private:
    void start();
    void accept(std::unique_ptr<HttpSocket> socket);
    void tick();
    void plan_tick();
    const base::MemoryBudget& budget() const;

    Agenda& agenda_;
    Dice& dice_;
    Oracle& oracle_;
    Server product_;
    const EndpointOptions options_;
    const Duration admission_time_;
    std::shared_ptr<HttpEndpoint> endpoint_;
    std::shared_ptr<const HttpConnection::Shared> shared_;
    HttpTurns turns_{*agenda_.context()};
    std::map<std::size_t, std::shared_ptr<HttpConnection>> connections_;  // in the order of their arrival
    std::size_t accepted_ = 0;
    std::map<std::uint64_t, std::weak_ptr<HttpPeer>> peers_;
    int sessions_made_ = 0;
    TimePoint redirects_until_ = {};
};

}  // namespace tenon::test
