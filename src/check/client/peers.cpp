#include "check/client/peers.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <deque>

#include "check/client/played_http_server.hpp"
#include "check/client/played_server.hpp"
#include "check/client/relay.hpp"
#include "framing/http_request.hpp"
#include "runtime/wire.hpp"

namespace tenon::check::client {
namespace {

constexpr std::size_t max_input_bytes = 16 * 1024 * 1024;                       // of an incomplete line or request
constexpr std::size_t max_events = 20'000, max_kept_bytes = 256 * 1024 * 1024;  // of a record
constexpr std::size_t max_peers = 1000;                                         // connections of one run
constexpr Duration gap = std::chrono::milliseconds(2);                          // between the pieces of a message
constexpr std::size_t pieces_of_a_message = 4;

// Shows a message to TENON_TRACE. All connections of the client count as one.
void show_in_trace(const Event& event) {
    static const Wire wire(trace_of_environment(), WireMessage::Side::server);
    if (event.text.empty()) return;
    switch (event.kind) {
        case Event::Kind::line:
        case Event::Kind::request: return wire.received(event.text);
        case Event::Kind::sent: return wire.sent(event.text, event.status);
        default: return;
    }
}

// A socket and the bytes waiting to be written to it.
class Line {
 public:
    explicit Line(io::Fd fd) : fd_(std::move(fd)) {}

    int fd() const { return fd_.get(); }
    bool open() const { return bool(fd_); }
    void close() { fd_.reset(), sending_.clear(); }
    void close_when_sent() { closing_ = true; }

    void send(std::string bytes) { sending_.push_back(std::move(bytes)); }
    void send_in_pieces(const std::string& bytes) {
        const std::size_t size = bytes.size() / pieces_of_a_message + 1;
        for (std::size_t i = 0; i < bytes.size(); i += size) send(bytes.substr(i, size));
        slowly_ = true;
    }

    /// Returns when the next bytes are due, or nothing when there are none.
    std::optional<TimePoint> due() const {
        return sending_.empty() ? std::nullopt : std::optional(slowly_ ? next_ : TimePoint{});
    }
    void write_what_is_due() {
        while (open() && !sending_.empty() && *due() <= Clock::now() && write_one()) next_ = Clock::now() + gap;
        if (closing_ && sending_.empty()) close();
    }

    /// Returns the received bytes, or nothing at the end of the input.
    std::optional<std::string_view> read() {
        const ssize_t n = ::recv(fd(), buffer_.data(), buffer_.size(), 0);
        if (n > 0) return std::string_view(buffer_.data(), static_cast<std::size_t>(n));
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return std::string_view();
        return std::nullopt;
    }

 private:
    bool write_one() {
        std::string& front = sending_.front();
        const ssize_t n = ::send(fd(), front.data(), front.size(), MSG_NOSIGNAL);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
        if (n < 0) return close(), false;
        front.erase(0, static_cast<std::size_t>(n));
        if (!front.empty()) return false;
        sending_.pop_front();
        return true;
    }

    io::Fd fd_;
    std::deque<std::string> sending_;
    bool closing_ = false, slowly_ = false;
    TimePoint next_ = {};
    std::array<char, 16 * 1024> buffer_;
};

// The common part of both kinds of peers: connections, a clock and the record.
template <class Peer>
class AllPeers : public Peers {
 public:
    AllPeers(Scene scene, Duration patience, Record& record, TimePoint started)
        : scene_(scene), patience_(patience), record_(record), started_(started) {}

    void add_to(std::vector<pollfd>& fds) const override {
        for (const auto& peer : peers_) fds.push_back({peer->line.fd(), events_of(peer->line), 0});
    }
    bool serve(std::span<const pollfd> fds) override {
        bool news = false;
        for (std::size_t i = 0; i < fds.size(); ++i) {
            if (fds[i].revents == 0) continue;
            Peer& peer = *peers_[i];
            if (fds[i].revents & (POLLIN | POLLHUP | POLLERR)) {
                const auto bytes = peer.line.read();
                news = true;
                if (bytes)
                    take(peer, *bytes);
                else
                    lost(peer);
            }
        }
        return news;
    }
    bool met() const override { return !peers_.empty(); }
    bool full() const override {
        return record_.events.size() > max_events || kept_bytes_ > max_kept_bytes || peers_.size() > max_peers;
    }
    bool all_gone() const override {
        for (const auto& peer : peers_)
            if (peer->line.open()) return false;
        return true;
    }

 protected:
    virtual void take(Peer& peer, std::string_view bytes) = 0;
    virtual void lost(Peer& peer) = 0;

    static short events_of(const Line& line) {
        return static_cast<short>(POLLIN | (line.due() == TimePoint{} ? POLLOUT : 0));
    }
    static void sooner(std::optional<TimePoint>& out, const std::optional<TimePoint>& other) {
        if (other && *other != TimePoint{}) out = out ? std::min(*out, *other) : *other;
    }
    void write(Event event) {
        show_in_trace(event);
        event.at = Clock::now() - started_;
        kept_bytes_ += event.text.size();
        record_.events.push_back(std::move(event));
    }
    void send(Line& line, const std::string& bytes) const {
        if (scene_ == Scene::odd_spelling)
            line.send_in_pieces(bytes);
        else
            line.send(bytes);
    }

    const Scene scene_;
    const Duration patience_;
    Record& record_;
    const TimePoint started_;
    std::vector<std::unique_ptr<Peer>> peers_;
    std::size_t kept_bytes_ = 0;
};

struct RelayPeer {
    RelayPeer(io::Fd fd, Scene scene, Duration patience) : line(std::move(fd)), server(scene, patience) {}
    Line line;
    PlayedServer server;
    std::string frames = {}, input = {};
    std::size_t messages = 0;
    std::size_t number = 0;
    bool input_closed = false, terminated = false;
};

// The stdio servers that the client has started. Each is a process.
class RelayPeers final : public AllPeers<RelayPeer> {
 public:
    using AllPeers::AllPeers;

    void add(io::Fd connection) override {
        peers_.push_back(std::make_unique<RelayPeer>(std::move(connection), scene_, patience_));
        peers_.back()->number = peers_.size();
        write({.kind = Event::Kind::opened, .peer = peers_.size()});
    }
    void tick() override {
        for (auto& peer : peers_) {
            for (const Say& it : peer->server.tick(Clock::now())) say(*peer, it);
            peer->line.write_what_is_due();
        }
    }
    std::optional<TimePoint> deadline() const override {
        std::optional<TimePoint> out;
        for (const auto& peer : peers_) {
            if (!peer->line.open()) continue;
            sooner(out, peer->server.deadline());
            sooner(out, peer->line.due());
        }
        return out;
    }

 private:
    void take(RelayPeer& peer, std::string_view bytes) override {
        peer.frames += bytes;
        while (auto frame = take_frame(peer.frames)) {
            if (frame->signal == Signal::data) take_input(peer, frame->bytes);
            if (frame->signal == Signal::end) end_input(peer);
            if (frame->signal == Signal::terminated) {
                peer.terminated = true;
                write({.kind = Event::Kind::terminated, .peer = peer.number});
            }
        }
    }
    void take_input(RelayPeer& peer, std::string_view bytes) {
        peer.input += bytes;
        for (std::size_t end = 0; (end = peer.input.find('\n')) != std::string::npos;) {
            const std::string line = peer.input.substr(0, end);
            peer.input.erase(0, end + 1);
            write({.kind = Event::Kind::line, .peer = peer.number, .text = line});
            for (const Say& it : peer.server.take(++peer.messages, line, Clock::now())) say(peer, it);
        }
        if (peer.input.size() > max_input_bytes) peer.line.close();
    }
    void end_input(RelayPeer& peer) {
        if (!peer.input.empty()) write({.kind = Event::Kind::rest, .peer = peer.number, .text = peer.input});
        write({.kind = Event::Kind::input_closed, .peer = peer.number});
        peer.input_closed = true;
        peer.line.close_when_sent();
    }
    void lost(RelayPeer& peer) override {
        peer.line.close();
        if (!peer.input_closed && !peer.terminated) write({.kind = Event::Kind::vanished, .peer = peer.number});
    }
    void say(RelayPeer& peer, const Say& it) {
        write({.kind = Event::Kind::sent, .peer = peer.number, .text = it.text});
        send(peer.line, it.text + "\n");
    }
};

struct WebPeer {
    explicit WebPeer(io::Fd fd) : line(std::move(fd)) {}
    Line line;
    framing::HttpRequestParser parser{{.max_head_bytes = 64 * 1024, .max_body_bytes = max_input_bytes}};
    Event request = {};
};

class WebPeers final : public AllPeers<WebPeer> {
 public:
    WebPeers(Scene scene, Duration patience, Record& record, TimePoint started)
        : AllPeers(scene, patience, record, started), server_(scene, patience) {}

    void add(io::Fd connection) override { peers_.push_back(std::make_unique<WebPeer>(std::move(connection))); }
    void tick() override {
        do_writes(server_.tick(Clock::now()));
        for (auto& peer : peers_) peer->line.write_what_is_due();
    }
    std::optional<TimePoint> deadline() const override {
        std::optional<TimePoint> out = server_.deadline();
        for (const auto& peer : peers_) sooner(out, peer->line.due());
        return out;
    }

 private:
    void take(WebPeer& peer, std::string_view bytes) override {
        using Result = framing::HttpRequestParser::Event;
        for (;;) {
            const Result result = peer.parser.next(bytes);
            if (result == Result::head) begin(peer);
            if (result == Result::piece) peer.request.text += peer.parser.piece();
            if (result == Result::end) finish(peer);
            if (result == Result::refused) return peer.line.close();
            if (result == Result::more) return;
        }
    }
    static void begin(WebPeer& peer) {
        const framing::HttpRequest& head = peer.parser.request();
        peer.request = {
            .kind = Event::Kind::request, .method = std::string(head.method), .target = std::string(head.target)};
        for (const framing::HttpField& field : head.fields.all())
            peer.request.fields.emplace_back(field.name, field.value);
        if (head.expects_continue) peer.line.send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    void finish(WebPeer& peer) {
        write(peer.request);
        do_writes(server_.take(index_of(peer), peer.request, Clock::now()));
    }
    std::size_t index_of(const WebPeer& peer) const {
        for (std::size_t i = 0; i < peers_.size(); ++i)
            if (peers_[i].get() == &peer) return i;
        return peers_.size();
    }
    void do_writes(const std::vector<Write>& writes) {
        for (const Write& it : writes) {
            if (it.status != 0 || !it.message.empty())
                write({.kind = Event::Kind::sent, .text = it.message, .status = it.status == 0 ? 200 : it.status});
            send(peers_[it.connection]->line, it.bytes);
            if (it.close) peers_[it.connection]->line.close_when_sent();
        }
    }
    void lost(WebPeer& peer) override { peer.line.close(); }

    PlayedHttpServer server_;
};

}  // namespace

std::unique_ptr<Peers> make_peers(Scene scene, bool http, Duration patience, Record& record, TimePoint started) {
    if (http) return std::make_unique<WebPeers>(scene, patience, record, started);
    return std::make_unique<RelayPeers>(scene, patience, record, started);
}

}  // namespace tenon::check::client
