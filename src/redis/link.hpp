// A connection to Redis that is restored when it breaks.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/store.hpp>

#include "framing/resp.hpp"
#include "redis/address.hpp"
#include "redis/socket.hpp"

namespace tenon::redis {

using framing::RespValue;

/// Connects, logs in, selects the database, checks the version, loads scripts, and passes replies on. After a failure
/// it connects again, with growing pauses. Use it only on the thread of its loop. Callbacks run in that loop.
class Link : public std::enable_shared_from_this<Link> {
 public:
    struct Callbacks {
        std::function<void()> on_ready;             ///< connected: send() works
        std::function<void(RespValue&&)> on_value;  ///< a reply, or a message of a channel
        std::function<void(const Error&)> on_down;  ///< the connection is lost, or an attempt failed
    };
    Link(std::shared_ptr<boost::asio::io_context> loop, Address address, const StoreLimits& limits,
         Callbacks callbacks);

    void start() { connect(); }
    void close();
    /// Appends encoded commands to the output. Only while ready() is true.
    void send(std::string_view commands);
    bool ready() const { return state_ == State::ready; }
    /// Closes the connection, reports it with on_down, and connects again.
    void restart(Error why);
    /// The version of the server, from the last connection.
    const std::string& version() const { return release_; }

    /// Scripts that are loaded after each connection.
    void preload(std::vector<std::string> scripts) { scripts_ = std::move(scripts); }

 private:
    enum class State { idle, connecting, greeting, ready, closed };
    void connect();
    void on_connected(const std::string& error);
    void greet();
    void on_greeting(const RespValue& value);
    void read();
    void on_bytes(std::string_view bytes);
    void write();
    void fail(Error why);
    Error failed(const std::string& why) const;

    const std::shared_ptr<boost::asio::io_context> loop_;
    const Address address_;
    const StoreLimits limits_;
    Callbacks callbacks_;
    State state_ = State::idle;
    std::shared_ptr<Socket> socket_;
    std::unique_ptr<framing::RespReader> reader_;  // a new one for each connection
    boost::asio::steady_timer timer_;              // of the attempt to connect, and of the pause before the next one
    std::string output_;
    bool writing_ = false;
    std::vector<std::string> scripts_, expected_;  // expected_: the commands of the greeting, in reverse
    std::string release_;
    std::chrono::milliseconds pause_{0};
    std::uint64_t connection_ = 0;  // callbacks of older connections are ignored
};

/// Converts an error reply. The result says what to do.
Error error_of(const RespValue& value);

}  // namespace tenon::redis
