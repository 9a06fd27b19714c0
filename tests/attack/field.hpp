// The environment of a hostile client: its server, its credentials, and how long it may attack.
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
    /// `source` is the address that the attacker connects from.
    Field(std::uint16_t port, std::string fields, int count, TimePoint end, std::string source)
        : connections(count), until(end), credentials(std::move(fields)), port_(port), source_(std::move(source)) {}

    const int connections;          ///< that the attacker may use at once
    const TimePoint until;          ///< the end of the attack
    const std::string credentials;  ///< header lines of the attacker

    bool is_over() const { return Clock::now() >= until; }
    Wire connect(int receive_buffer = 0) const { return Wire(port_, until, receive_buffer, source_); }
    /// Keeps a connection open until the result has been measured.
    void keep(Wire wire);
    /// Calls `work` once for each connection, each time on its own thread.
    void in_parallel(const std::function<void(int number)>& work) const;

    /// Opens a session. Returns its id, or an empty string when the server refuses.
    std::string begin(Wire& wire, std::string_view revision = "2025-11-25", std::string_view capabilities = "{}") const;
    std::string post_in(std::string_view session, std::string_view body) const {
        return post(body, in_session(session) + credentials);
    }

    /// Reports damage that memory and time do not show.
    void report(std::string damage);
    const std::string& damage() const { return damage_; }
    /// Counts the messages of the attack, for the table.
    void count(std::size_t times = 1);
    std::size_t counted() const { return counted_; }

 private:
    const std::uint16_t port_;
    const std::string source_;
    std::mutex mutex_;
    std::deque<Wire> kept_;
    std::string damage_;
    std::size_t counted_ = 0;
};

}  // namespace attack
