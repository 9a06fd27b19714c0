// One line of the table: what an attack was, and what it did.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace attack {

/// What no attack may break. A Row names each bound that was broken.
struct Bounds {
    static constexpr std::size_t memory = std::size_t{512} << 20;
    /// An attacker and an innocent client share the server, and the attacker's program takes a share of the machine.
    static constexpr double fair_share = 4;
    static constexpr double slack_ms = 100;
    static constexpr double busy_ms = 50;   ///< a calm p99 above this says that others use the machine
    static constexpr int stop_seconds = 8;  ///< Limits::drain_time, and some
};

struct Row {
    std::string attack = {};
    std::string by = {};    ///< who attacks whom
    std::string load = {};  ///< what was sent
    std::size_t sent = 0;
    std::size_t peak_bytes = 0;
    double cpu_seconds = 0;
    bool has_innocent = false;  ///< the members below say how an innocent client was served
    std::size_t calls = 0, failures = 0;
    double calm_p50 = 0, calm_p99 = 0, p50 = 0, p99 = 0;  ///< milliseconds
    std::vector<std::string> broken = {};                 ///< bounds, in words; empty: the attack failed

    std::string key() const { return attack + " / " + by; }
    bool is_ok() const { return broken.empty(); }
    /// Latencies were not judged, because the machine was busy before the attack began.
    bool is_unsure() const { return has_innocent && calm_p99 > Bounds::busy_ms; }
};

/// Adds to `row.broken` what its numbers break.
void judge(Row& row);

tenon::json::object to_json(const Row& row);
Row row_from_json(const tenon::json::object& json);

/// The table in Markdown. `before`: rows of an earlier run, shown beside those of now.
std::string markdown(const std::vector<Row>& rows, const std::vector<Row>& before);

}  // namespace attack
