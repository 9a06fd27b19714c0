// A simulated cluster: nodes, a store, clients, and faults. Everything follows from one number and a list of steps.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "simulation/cluster/sim_client.hpp"
#include "simulation/cluster/sim_task_client.hpp"

namespace tenon::test {

struct ClusterOptions {
    std::uint64_t seed = 0;
    std::size_t nodes = 3, clients = 2;
    bool round_robin = false;
    bool faults = true;  ///< whether steps that are faults happen
    Mutant mutant = Mutant::none;
};
std::ostream& operator<<(std::ostream& out, const ClusterOptions& options);

/// One thing that happens. `who` and `choice` are taken modulo the number of possibilities.
struct ClusterStep {
    std::size_t what = 0, who = 0, choice = 0;
    static const std::vector<std::string>& names();
    std::string name() const { return names()[what % names().size()]; }
};
std::ostream& operator<<(std::ostream& out, const ClusterStep& step);

class ClusterSim final : public ClientWorld {
 public:
    explicit ClusterSim(const ClusterOptions& options);
    ~ClusterSim() override;

    void take(const ClusterStep& step);
    /// Ends the faults and the clients. Requires that every call is answered, and that nothing is left.
    void finish();
    const std::optional<std::string>& failure() const { return oracle_.failure(); }
    const std::string& trace() const { return oracle_.trace(); }
    const ClusterOracle& oracle() const { return oracle_; }

    SimNode* next_node() override;
    StoreModel& store() override { return store_; }

 private:
    static Limits limits();
    void run_for(Duration time);
    template <class Done>
    bool run_until(Done done, Duration most);
    void start_node();
    bool use_task(SimTaskClient& client, const ClusterStep& step);
    void fault(const ClusterStep& step);
    static void end_session(SimClient& client, std::size_t choice);
    void announce(const ClusterStep& step);
    void pause(SimNode& node, Duration time);
    void kill(std::size_t node);
    void end_faults();
    void end_clients();
    void require_nothing_left();

    const ClusterOptions options_;
    Agenda agenda_;
    Dice dice_;
    Dice product_dice_;  // random numbers of the nodes
    ClusterOracle oracle_{agenda_};
    StoreModel store_{agenda_, dice_, oracle_};
    std::vector<std::unique_ptr<SimNode>> nodes_;
    std::vector<std::unique_ptr<SimClient>> clients_;
    std::vector<std::unique_ptr<SimTaskClient>> task_clients_;
    std::size_t next_ = 0, started_ = 0;
    int announcements_ = 0;
};

/// Makes a world and its steps from one number, and runs it. Returns the first broken invariant. `trace` may be null.
std::optional<std::string> run_seed(std::uint64_t seed, Mutant mutant, std::string* trace = nullptr);

}  // namespace tenon::test
