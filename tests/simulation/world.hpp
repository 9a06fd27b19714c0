// A world with one server, some clients and a network between them. Everything in it follows from one number and a list
// of steps.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "simulation/authorisation_server.hpp"
#include "simulation/fetcher.hpp"
#include "simulation/virtual_client.hpp"
#include "simulation/virtual_server.hpp"

namespace tenon::test {

/// How callers are identified.
enum class Identity { anonymous, fixed_token, signs_in };
std::ostream& operator<<(std::ostream& out, Identity identity);

struct WorldOptions {
    std::uint64_t seed = 0;
    std::size_t clients = 1;
    Identity identity = Identity::anonymous;
    Room room = Room::plenty;
    bool faults = false;  ///< whether steps that are faults happen
};
std::ostream& operator<<(std::ostream& out, const WorldOptions& options);

/// One thing that happens. `client` and `choice` are taken modulo the number of possibilities.
struct WorldStep {
    std::size_t what = 0, client = 0, choice = 0;

    static const std::vector<std::string>& names();
    std::string name() const { return names()[what % names().size()]; }
};
std::ostream& operator<<(std::ostream& out, const WorldStep& step);

class World {
 public:
    explicit World(WorldOptions options);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    void take(const WorldStep& step);
    /// Ends all faults and calls, requires that each client can make a new call, and that nothing is left at the end.
    void finish();

    /// Returns the first broken invariant.
    const std::optional<std::string>& failure() const { return oracle_.failure(); }
    const std::string& trace() const { return trace_; }
    const Ledger& ledger() const { return ledger_; }
    Oracle& oracle() { return oracle_; }
    Network& network() { return network_; }
    const std::map<std::string, int>& runs() const { return handlers_.runs; }

 private:
    void note(const std::string& line);
    void note_head(const Link& link, std::string_view bytes);
    void run_for(Duration time);
    bool run_until(const std::function<bool()>& done, Duration most);
    void fault(const WorldStep& step);
    void blame(std::size_t client, Duration lasting, const std::string& what);
    std::unique_ptr<VirtualClient> make_client(std::size_t number);
    VirtualClient& living(std::size_t number);
    EndpointOptions endpoint_options();
    void add_token_gate(EndpointOptions& options);
    void fault_of_authority(const WorldStep& step);
    std::string principal_of(std::size_t client) const;

    const WorldOptions options_;
    Agenda agenda_;
    Dice dice_;
    Oracle oracle_;
    Ledger ledger_{oracle_};
    std::string trace_;
    Network network_;
    AuthorisationServer authority_;
    VirtualFetcher keys_;  // of the server: fetches the keys of the authorisation server
    Handlers handlers_;
    VirtualServer server_;
    std::vector<std::unique_ptr<VirtualClient>> clients_;
};

}  // namespace tenon::test
