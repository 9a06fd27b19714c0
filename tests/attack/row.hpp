// One row of the table: an attack, and its effect.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace attack {

/// The bounds that no attack may break.
struct Bounds {
    static constexpr std::size_t budget = std::size_t{256} << 20;         ///< growth of a server: its memory budget
    static constexpr std::size_t client_memory = std::size_t{512} << 20;  ///< a client has several limits and no budget
    /// The attacker, the server and the innocent client share one machine.
    static constexpr double fair_share = 4;
    static constexpr double slack_ms = 100;
    static constexpr double least_idle = 0.5;  ///< share of the processors that must be idle before the attack
    static constexpr int stop_seconds = 8;     ///< Limits::drain_time, and a reserve
};

struct Row {
    std::string attack = {};
    std::string by = {};    ///< the attacker
    std::string load = {};  ///< what one connection sends
    std::size_t sent = 0;
    std::size_t peak_bytes = 0;     ///< of the victim
    std::size_t idle_bytes = 0;     ///< of the victim before the attack; 0: the victim is a client
    std::size_t handler_bytes = 0;  ///< see ClientAttack
    double cpu_seconds = 0;
    bool has_innocent = false;  ///< the members below describe the service of an innocent client
    std::size_t calls = 0, failures = 0;
    double calm_p50 = 0, calm_p99 = 0, p50 = 0, p99 = 0;  ///< milliseconds
    bool busy = false;  ///< other programs used the machine before the attack, so latencies are not judged
    std::vector<std::string> broken = {};  ///< the broken bounds, in words; empty: the attack failed

    std::string key() const { return attack + " / " + by; }
    bool is_ok() const { return broken.empty(); }
};

/// Adds to `row.broken` the bounds that its numbers break.
void judge(Row& row);

tenon::json::object to_json(const Row& row);
Row row_from_json(const tenon::json::object& json);

/// Returns the table in Markdown. `before`: the rows of an earlier run, for the columns "before".
std::string markdown(const std::vector<Row>& rows, const std::vector<Row>& before);

}  // namespace attack
