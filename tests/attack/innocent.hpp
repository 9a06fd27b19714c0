// An innocent client. It calls a tool every few milliseconds and measures how it is served.
#pragma once

#include <atomic>
#include <deque>
#include <string>
#include <thread>

#include "attack/wire.hpp"
#include "load/histogram.hpp"

namespace attack {

enum class Era { session, stateless };  ///< 2025-11-25 and 2026-07-28

/// The service that a client got in one phase.
struct Service {
    std::size_t calls = 0, failures = 0;
    std::string first_failure = {};
    tenon::load::Histogram latency{0.01};

    void add(const Service& other);
    double milliseconds_at(double percent) const { return static_cast<double>(latency.percentile(percent)) / 1e6; }
};

/// Runs on its own thread, from the constructor to stop().
class Innocent {
 public:
    static constexpr milliseconds pace{5};
    static constexpr seconds patience{5};  ///< a call that takes longer has failed
    static constexpr int wires = 2;        ///< the server spreads connections over its threads

    /// In `credentials`, each `#` is replaced by a new number for each request.
    Innocent(std::uint16_t port, std::string credentials, Era era);

    /// Calls that begin from now on count as made under attack.
    void attack_begins() { under_attack_ = true; }
    void stop();
    const Service& before() const { return before_; }
    const Service& during() const { return during_; }

 private:
    void run(const std::stop_token& stop);
    void call(std::size_t number, TimePoint due);
    bool connect(Wire& wire);

    const std::uint16_t port_;
    const std::string credentials_;
    const Era era_;
    std::atomic<bool> under_attack_ = false;
    std::string session_;
    std::deque<Wire> wires_;
    Service before_, during_;
    std::jthread thread_;
};

/// Connects a new client and makes a call in each era. Returns why that failed, or an empty string.
std::string refusal_of_newcomer(std::uint16_t port, const std::string& credentials);

}  // namespace attack
