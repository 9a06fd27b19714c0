// What a hostile client is given: the server, its own name and its time.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "attack/messages.hpp"
#include "attack/wire.hpp"

namespace attack {

/// Shared by the threads of one attack.
class Field {
 public:
    Field(std::uint16_t port, std::string who, int count, TimePoint end)
        : connections(count), until(end), credentials(std::move(who)), port_(port) {}

    const int connections;          ///< how many the attacker may use at once
    const TimePoint until;          ///< the attack ends here
    const std::string credentials;  ///< header lines that say who attacks

    bool is_over() const { return Clock::now() >= until; }
    Wire connect(int receive_buffer = 0) const { return Wire(port_, until, receive_buffer); }
    /// Keeps a connection open until the attack has been judged.
    void keep(Wire wire);
    /// Calls `work` once for each connection, each on a thread of its own.
    void in_parallel(const std::function<void(int number)>& work) const;

    /// Opens a session. Returns its id, or nothing when the server refuses.
    std::string begin(Wire& wire, std::string_view revision = "2025-11-25", std::string_view capabilities = "{}") const;
    std::string post_in(std::string_view session, std::string_view body) const {
        return post(body, in_session(session) + credentials);
    }

    /// The attack succeeded in a way that memory and time do not show.
    void report(std::string damage);
    const std::string& damage() const { return damage_; }
    /// Counts what was sent, for the table.
    void count(std::size_t times = 1);
    std::size_t counted() const { return counted_; }

 private:
    const std::uint16_t port_;
    std::mutex mutex_;
    std::deque<Wire> kept_;
    std::string damage_;
    std::size_t counted_ = 0;
};

}  // namespace attack
