#include "simulation/network.hpp"

#include <boost/asio/error.hpp>

namespace tenon::test {
namespace {

/// One end of a link.
class VirtualSocket final : public HttpSocket {
 public:
    VirtualSocket(LinkPtr link, Side side) : link_(std::move(link)), side_(side) {}
    ~VirtualSocket() override { link_->close(side_); }

    void handshake(std::function<void(error_code)> done) override {
        link_->soon_do([done = std::move(done)] { done({}); });
    }
    void read(std::shared_ptr<Reader> reader) override { link_->read(side_, std::move(reader), {}); }
    void read_into(std::span<char> room, std::shared_ptr<Reader> reader) override {
        link_->read(side_, std::move(reader), room);
    }
    std::optional<std::size_t> try_write(Pieces bytes, error_code& error) override {
        return link_->write_now(side_, bytes, error);
    }
    void write(Pieces bytes, std::function<void(error_code, std::size_t)> some) override {
        link_->write_later(side_, bytes, std::move(some));
    }
    void wait_for_reset(std::function<void()> done) override { link_->wait_for_reset(side_, std::move(done)); }
    bool can_be_half_closed() const override { return true; }
    void end_output() override { link_->end_output(side_); }
    void close() override { link_->close(side_); }

 private:
    const LinkPtr link_;
    const Side side_;
};

std::string_view take_front(HttpSocket::Pieces& bytes, std::size_t most) {
    std::string_view& piece = bytes.first.empty() ? bytes.second : bytes.first;
    const std::string_view out = piece.substr(0, most);
    piece.remove_prefix(out.size());
    return out;
}

}  // namespace

// ---- one connection

Link::Link(Agenda& agenda, Dice dice, std::size_t number_, std::size_t owner_, std::string host_, const Tap& tap)
    : number(number_), owner(owner_), host(std::move(host_)), agenda_(agenda), dice_(dice), tap_(tap) {
    last_used_ = agenda_.now();
}

Duration Link::delay() {
    return std::chrono::microseconds(dice_.one_in(20) ? dice_.below(300'000) : dice_.below(10'000));
}

std::size_t Link::write_now(Side side, const HttpSocket::Pieces& bytes, error_code& error) {
    End& from = end(side);
    if (from.closed || from.was_reset || from.ends) {
        error = from.was_reset ? asio::error::connection_reset : asio::error::broken_pipe;
        return 0;
    }
    const std::size_t waiting = from.in_flight.size() + end(other(side)).arrived.size();
    std::size_t room = window - std::min(window, waiting);
    if (room > 1 && dice_.one_in(10)) room = 1 + dice_.below(std::min<std::size_t>(room, 200));
    HttpSocket::Pieces left = bytes;
    std::size_t written = 0;
    while (written < room && !(left.first.empty() && left.second.empty())) {
        const std::string_view piece = take_front(left, room - written);
        tap_(*this, side, piece);
        if (side == Side::server || !client_muted_) from.in_flight += piece;
        written += piece.size();
    }
    last_used_ = agenda_.now();
    move(side);
    return written;
}

void Link::write_later(Side side, HttpSocket::Pieces bytes, std::function<void(error_code, std::size_t)> some) {
    end(side).output = bytes;
    end(side).written = std::move(some);
    soon(&Link::take_output, side);
}

// Completes a pending write when there is room.
void Link::take_output(Side side) {
    End& from = end(side);
    if (!from.output) return;
    error_code error = from.closed ? asio::error::operation_aborted : error_code();
    const std::size_t n = error ? 0 : write_now(side, *from.output, error);
    if (n == 0 && !error) return;  // tried again when the peer has read
    from.output.reset();
    std::exchange(from.written, {})(error, n);
}

void Link::end_output(Side side) {
    end(side).ends = true;
    move(side);
}

// Plans the next piece from this end to the other.
void Link::move(Side from) {
    End& e = end(from);
    if (e.moving || e.was_reset || (e.in_flight.empty() && !delivers_end(from))) return;
    e.moving = true;
    agenda_.at(std::max(later(agenda_.now(), delay()), stalled_until_),
               [self = shared_from_this(), from] { self->arrive(from); });
}

void Link::arrive(Side from) {
    End& e = end(from);
    End& to = end(other(from));
    e.moving = false;
    if (e.was_reset) return;
    if (!quiet()) return move(from);
    const std::size_t n = dice_.one_in(4) ? dice_.below(e.in_flight.size() + 1) : e.in_flight.size();
    if (n > 0 && (to.closed || cut_)) return reset(from);
    to.arrived.append(e.in_flight, 0, n);
    e.in_flight.erase(0, n);
    if (e.in_flight.empty() && e.ends) to.input_ended = true;
    soon(&Link::deliver, other(from));
    move(from);
}

void Link::read(Side side, std::shared_ptr<HttpSocket::Reader> reader, std::span<char> room) {
    end(side).reader = std::move(reader);
    end(side).room = room;
    soon(&Link::deliver, side);
}

// Passes the bytes that have arrived to the reader.
void Link::deliver(Side side) {
    End& to = end(side);
    if (!to.reader) return;
    error_code error;
    std::string_view bytes;
    if (to.closed) {
        error = asio::error::operation_aborted;
    } else if (!to.arrived.empty()) {
        const std::size_t n = to.room.empty() ? to.arrived.size() : std::min(to.room.size(), to.arrived.size());
        to.reading = to.arrived.substr(0, n);
        to.arrived.erase(0, n);
        std::ranges::copy(to.room.empty() ? std::string_view() : std::string_view(to.reading), to.room.begin());
        bytes = to.room.empty() ? std::string_view(to.reading) : std::string_view(to.room.data(), n);
    } else if (to.was_reset) {
        error = asio::error::connection_reset;
    } else if (to.input_ended) {
        error = asio::error::eof;
    } else {
        return;
    }
    const auto reader = std::exchange(to.reader, {});
    reader->on_read(error, bytes);
    soon(&Link::take_output, other(side));
}

void Link::close(Side side) {
    End& e = end(side);
    if (e.closed) return;
    const bool unread = !e.arrived.empty();
    abort(side);
    if (unread) return reset(other(side));
    e.ends = true;
    move(side);
}

// Ends the pending operations of an end that closes.
void Link::abort(Side side) {
    end(side).closed = true;
    soon(&Link::deliver, side);
    soon(&Link::take_output, side);
    if (auto done = std::exchange(end(side).when_reset, {})) agenda_.after(0s, std::move(done));
}

void Link::reset(Side side) {
    End& e = end(side);
    e.was_reset = true;
    e.in_flight.clear();
    soon(&Link::deliver, side);
    soon(&Link::take_output, side);
    if (auto done = std::exchange(e.when_reset, {})) agenda_.after(0s, std::move(done));
}

// ---- faults

void Link::reset() {
    reset(Side::client);
    reset(Side::server);
}

void Link::cut() {
    cut_ = true;
    for (const Side side : {Side::client, Side::server}) {
        End& from = end(side);
        End& to = end(other(side));
        to.arrived.append(from.in_flight, 0, dice_.below(from.in_flight.size() + 1));
        from.in_flight.clear();
        to.input_ended = true;
        soon(&Link::deliver, other(side));
    }
}

void Link::half_close() {
    client_muted_ = true;
    end(Side::client).in_flight.clear();
    end(Side::server).input_ended = true;
    soon(&Link::deliver, Side::server);
}

// ---- all connections

void Network::dial(std::size_t owner, const std::string& host, Dialed done) {
    agenda_.after(std::chrono::microseconds(dice_.below(5000)), [this, owner, host, done = std::move(done)] {
        const auto refused = refused_until_.find(owner);
        const auto server = servers_.find(host);
        if (server == servers_.end() || (refused != refused_until_.end() && agenda_.now() < refused->second))
            return done(Error{code::connection_closed, "connection refused"});
        const auto link = std::make_shared<Link>(agenda_, Dice(dice_.next()), ++last_, owner, host, tap_);
        links_.push_back(link);
        server->second(std::make_unique<VirtualSocket>(link, Side::server));
        done(std::unique_ptr<HttpSocket>(std::make_unique<VirtualSocket>(link, Side::client)));
    });
}

std::vector<LinkPtr> Network::links() {
    std::erase_if(links_, [](const LinkPtr& link) { return link->over(); });
    return links_;
}

std::vector<LinkPtr> Network::links_of(std::size_t owner) {
    std::vector<LinkPtr> out = links();
    std::erase_if(out, [&](const LinkPtr& link) { return link->owner != owner; });
    return out;
}

}  // namespace tenon::test
