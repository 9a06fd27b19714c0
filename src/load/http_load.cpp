#include "load/http_load.hpp"

#include <sys/epoll.h>

#include <cerrno>

#include "load/phase_loop.hpp"
#include "load/trace.hpp"

namespace tenon::load {
namespace {

constexpr std::size_t most_events = 256;

}  // namespace

HttpLoad::HttpLoad(const HttpPeer& peer, const bench::Options& options, std::vector<PreparedCall> calls)
    : peer_(peer),
      options_(options),
      calls_(std::move(calls)),
      mix_(options.calls),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

Result<std::unique_ptr<HttpLoad>> HttpLoad::to(const HttpPeer& peer, const bench::Options& options,
                                               std::vector<PreparedCall> calls) {
    std::unique_ptr<HttpLoad> out(new HttpLoad(peer, options, std::move(calls)));
    for (std::size_t i = 0; i < options.connections; ++i)
        if (auto added = out->add_connection(); !added) return added.error();
    return out;
}

HttpLoad::~HttpLoad() {
    for (Connection* c : idle_) peer_.end(c->channel, c->context);
}

Result<void> HttpLoad::add_connection() {
    auto c = std::make_unique<Connection>(options_.max_message_bytes);
    if (auto opened = peer_.dial(); opened)
        c->channel = *std::move(opened);
    else
        return opened.error();
    auto context = peer_.introduce(c->channel);
    if (!context) return context.error();
    c->context = *std::move(context);
    for (const PreparedCall& call : calls_)
        c->heads.push_back(peer_.head_of(c->context, call.about(), call.body_size()));
    if (c->channel.open()) watch(*c, EPOLL_CTL_ADD);
    idle_.push_back(c.get());
    connections_.push_back(std::move(c));
    return {};
}

Result<void> HttpLoad::reopen(Connection& c) {
    auto opened = peer_.dial();
    if (!opened) return opened.error();
    c.channel = *std::move(opened);
    c.answers = HttpResponses(options_.max_message_bytes);
    c.waits_to_write = false;
    watch(c, EPOLL_CTL_ADD);
    return {};
}

bool HttpLoad::watch(Connection& c, int operation) const {
    epoll_event event{};
    event.events = EPOLLIN | (c.waits_to_write ? EPOLLOUT : 0U);
    event.data.ptr = &c;
    return ::epoll_ctl(epoll_.get(), operation, c.channel.fd(), &event) == 0;
}

// ---- one phase

Result<void> HttpLoad::run(const Phase& phase, Tally& tally, Lookout& lookout) {
    return run_phase(
        phase, tally, lookout, [&](Pace& pace) { return fill(pace, tally); },
        [&] { return idle_.size() == connections_.size(); }, [&](TimePoint now) { time_out_slow_requests(now, tally); },
        [&](TimePoint until, Pace& pace) { return wait(until, tally, pace); });
}

// Sends requests on all idle connections, as many as the pace allows.
Result<void> HttpLoad::fill(Pace& pace, Tally& tally) {
    while (!idle_.empty()) {
        const auto from = pace.take(Clock::now());
        if (!from) return {};
        Connection& c = *idle_.back();
        idle_.pop_back();
        if (auto sent = send(c, *from, tally); !sent) return sent;
    }
    return {};
}

Result<void> HttpLoad::wait(TimePoint until, Tally& tally, Pace& pace) {
    std::array<epoll_event, most_events> events;
    const timespec patience = time_until(until);
    const int n = ::epoll_pwait2(epoll_.get(), events.data(), most_events, &patience, nullptr);
    for (int i = 0; i < n; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        Connection& c = *static_cast<Connection*>(event.data.ptr);
        if (!c.channel.open()) continue;  // an earlier event closed it
        if ((event.events & EPOLLOUT) != 0) go_on_sending(c, tally);
        if (c.channel.open()) receive(c, tally);
        if (auto filled = fill(pace, tally); !filled) return filled;
    }
    return {};
}

// ---- sending

Result<void> HttpLoad::send(Connection& c, TimePoint from, Tally& tally) {
    if (!c.channel.open()) {
        tally.reconnect();
        if (auto opened = reopen(c); !opened) return opened;
    }
    c.call = mix_.next();
    c.number = next_number_;
    next_number_ = next_number_ == last_number ? first_number : next_number_ + 1;
    c.from = from;
    c.left = Clock::now();
    c.busy = true;
    c.answered = false;
    c.answers.expect();
    const std::string_view head = c.heads[c.call], body = calls_[c.call].body(c.number);
    wire().sent(body);
    const auto [state, n] = c.channel.write(head, body);
    if (n == head.size() + body.size()) return {};
    // The rest is sent when the socket is writable. If the connection is closed, reading will notice it.
    c.unsent.assign(head.substr(std::min(n, head.size())));
    c.unsent += body.substr(n - std::min(n, head.size()));
    c.sent = 0;
    c.waits_to_write = true;
    watch(c, EPOLL_CTL_MOD);
    return {};
}

void HttpLoad::go_on_sending(Connection& c, Tally& tally) {
    const auto [state, n] = c.channel.write({}, std::string_view(c.unsent).substr(c.sent));
    if (state == Channel::State::closed) return lost(c, "the connection was closed while a request was sent", tally);
    c.sent += n;
    if (c.sent < c.unsent.size()) return;
    c.waits_to_write = false;
    watch(c, EPOLL_CTL_MOD);
}

// ---- receiving

void HttpLoad::receive(Connection& c, Tally& tally) {
    while (c.channel.open()) {
        const std::span<char> room = c.answers.room();
        const auto [state, n] = c.channel.read(room);
        if (state == Channel::State::would_wait) return;
        if (state == Channel::State::closed) {
            const auto use = [&](std::string_view message) { take_message(c, message, tally); };
            if (c.busy && c.answers.end_of_input(use) == HttpResponses::State::done) return answer_ended(c, tally);
            return lost(c, "the connection was closed before the answer was complete", tally);
        }
        take(c, n, tally);
        if (n < room.size() && !c.channel.buffers()) return;
    }
}

void HttpLoad::take(Connection& c, std::size_t bytes, Tally& tally) {
    const auto use = [&](std::string_view message) { take_message(c, message, tally); };
    auto state = c.answers.take(bytes, use);
    if (state == HttpResponses::State::head) state = c.answers.take(0, use);
    if (state == HttpResponses::State::broken) lost(c, c.answers.why(), tally);
    if (state == HttpResponses::State::done) answer_ended(c, tally);
}

void HttpLoad::take_message(Connection& c, std::string_view message, Tally& tally) {
    wire().received(message);
    const Envelope envelope = read_envelope(message);
    if (envelope.kind == Envelope::Kind::other) return tally.notice();
    if (std::exchange(c.answered, true)) return tally.wrong(c.call, "a second answer");
    if (auto why = calls_[c.call].complaint(message, envelope, c.number)) return tally.wrong(c.call, *std::move(why));
    if (c.answers.status() == 200) return tally.right(c.call, Clock::now() - c.from);
    tally.wrong(c.call, "HTTP status " + std::to_string(c.answers.status()));
}

void HttpLoad::answer_ended(Connection& c, Tally& tally) {
    if (!c.answered) tally.wrong(c.call, "no message, HTTP status " + std::to_string(c.answers.status()));
    if (!c.answers.keep_alive()) c.channel.close();
    idle(c);
}

void HttpLoad::lost(Connection& c, const std::string& why, Tally& tally) {
    if (c.busy && !c.answered) tally.wrong(c.call, why);
    c.channel.close();
    if (c.busy) idle(c);
}

void HttpLoad::idle(Connection& c) {
    c.busy = false;
    idle_.push_back(&c);
}

void HttpLoad::time_out_slow_requests(TimePoint now, Tally& tally) {
    for (const auto& c : connections_)
        if (c->busy && now - c->left > options_.answer_time) lost(*c, "no answer in time", tally);
}

}  // namespace tenon::load
