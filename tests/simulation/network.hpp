// A network without sockets. A connection moves bytes in pieces of random size, each with a random delay. It can be
// reset, cut, half closed and stalled, and new connections can be refused.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tenon/error.hpp>

#include "property/generators.hpp"
#include "simulation/agenda.hpp"
#include "transport/http/http_socket.hpp"

namespace tenon::test {

enum class Side : std::size_t { client = 0, server = 1 };
inline Side other(Side side) { return side == Side::client ? Side::server : Side::client; }

/// One connection: two ends, and the bytes on their way between them.
class Link : public std::enable_shared_from_this<Link> {
 public:
    /// Sees all bytes that an end sends.
    using Tap = std::function<void(const Link&, Side from, std::string_view bytes)>;

    Link(Agenda& agenda, Dice dice, std::size_t number, std::size_t owner, std::string host, const Tap& tap);

    const std::size_t number;  ///< unique in its network
    const std::size_t owner;   ///< the client that opened it
    const std::string host;    ///< the server to which it leads

    // Faults.
    void reset();
    /// Loses some of the bytes on their way, and ends both directions, as a proxy does with an idle connection.
    void cut();
    /// Tells the server that the client has stopped sending. Drops the bytes that the client sends after that.
    void half_close();
    void stall(Duration time) { stalled_until_ = later(agenda_.now(), time); }

    bool over() const { return end(Side::client).closed && end(Side::server).closed; }
    bool quiet() const { return agenda_.now() >= stalled_until_; }
    TimePoint last_used() const { return last_used_; }

    // For VirtualSocket.
    void read(Side side, std::shared_ptr<HttpSocket::Reader> reader, std::span<char> room);
    std::size_t write_now(Side side, const HttpSocket::Pieces& bytes, error_code& error);
    void write_later(Side side, HttpSocket::Pieces bytes, std::function<void(error_code, std::size_t)> some);
    void wait_for_reset(Side side, std::function<void()> done) { end(side).when_reset = std::move(done); }
    void end_output(Side side);
    void close(Side side);
    void soon_do(Agenda::Work work) { agenda_.after(0s, std::move(work)); }

 private:
    static constexpr std::size_t window = 64 * 1024;  // bytes that the peer has not read

    struct End {
        std::string in_flight;  // sent by this end
        std::string arrived;    // at this end, but not read
        std::string reading;    // bytes that the reader looks at
        std::shared_ptr<HttpSocket::Reader> reader;
        std::span<char> room;
        std::optional<HttpSocket::Pieces> output;
        std::function<void(error_code, std::size_t)> written;
        std::function<void()> when_reset;
        bool ends = false;         // sends nothing after in_flight
        bool input_ended = false;  // nothing follows after `arrived`
        bool closed = false, was_reset = false;
        bool moving = false;  // arrive() is on the agenda
    };
    End& end(Side side) { return ends_[static_cast<std::size_t>(side)]; }
    const End& end(Side side) const { return ends_[static_cast<std::size_t>(side)]; }
    bool delivers_end(Side from) const { return end(from).ends && !end(other(from)).input_ended; }

    void move(Side from);
    void arrive(Side from);
    void deliver(Side to);
    void take_output(Side side);
    void reset(Side side);
    void abort(Side side);
    void soon(void (Link::*what)(Side), Side side) {
        agenda_.after(0s, [self = shared_from_this(), what, side] { (self.get()->*what)(side); });
    }
    Duration delay();

    Agenda& agenda_;
    Dice dice_;  // its own, so that the order of events of other connections does not matter
    const Tap& tap_;
    std::array<End, 2> ends_;
    TimePoint stalled_until_ = {};
    TimePoint last_used_ = {};
    bool cut_ = false;
    bool client_muted_ = false;  // after half_close()
};
using LinkPtr = std::shared_ptr<Link>;

/// All connections of a world.
class Network {
 public:
    using Dialed = std::function<void(Result<std::unique_ptr<HttpSocket>>)>;
    using Accept = std::function<void(std::unique_ptr<HttpSocket>)>;

    Network(Agenda& agenda, Dice& dice, Link::Tap tap) : agenda_(agenda), dice_(dice), tap_(std::move(tap)) {}

    void listen(const std::string& host, Accept accept) { servers_[host] = std::move(accept); }
    void dial(std::size_t owner, const std::string& host, Dialed done);
    /// Refuses new connections of this client for some time.
    void refuse(std::size_t owner, Duration time) { refused_until_[owner] = later(agenda_.now(), time); }

    /// Returns the open connections of a client.
    std::vector<LinkPtr> links_of(std::size_t owner);
    std::vector<LinkPtr> links();

 private:
    Agenda& agenda_;
    Dice& dice_;
    const Link::Tap tap_;
    std::size_t last_ = 0;
    std::map<std::string, Accept> servers_;
    std::map<std::size_t, TimePoint> refused_until_;
    std::vector<LinkPtr> links_;
};

}  // namespace tenon::test
