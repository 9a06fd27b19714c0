// Generates load over stdio on one thread. Several requests are in flight on one pipe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "load/child.hpp"
#include "load/lookout.hpp"
#include "load/mix.hpp"
#include "load/prepared_call.hpp"

namespace tenon::load {

class StdioLoad final : public Load {
 public:
    /// Starts the server and does the handshake.
    static Result<std::unique_ptr<StdioLoad>> to(const bench::Options& options, const protocol::Rules& rules,
                                                 std::vector<PreparedCall> calls);

    Result<void> run(const Phase& phase, Tally& tally, Lookout& lookout) override;
    int pid() const override { return child_.pid(); }
    const std::string& revision() const { return revision_; }

 private:
    struct Slot {
        bool busy = false;
        std::size_t call = 0;
        std::uint64_t number = 0;  // number % slots_.size() is the index of the slot
        TimePoint from = {}, left = {};
    };

    StdioLoad(const bench::Options& options, std::vector<PreparedCall> calls);

    void fill(Pace& pace);
    void take(std::string_view message, Tally& tally);
    std::uint64_t number_after(std::uint64_t number, std::size_t index) const;
    Slot* slot_of(std::uint64_t number);
    void free(Slot& slot);
    void time_out_slow_requests(TimePoint now, Tally& tally);

    const bench::Options& options_;
    std::vector<PreparedCall> calls_;
    Mix mix_;
    Child child_;
    std::string revision_;
    std::vector<Slot> slots_;
    std::vector<std::size_t> idle_;
};

}  // namespace tenon::load
