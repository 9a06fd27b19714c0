#include "redis/link.hpp"

#include <algorithm>

#include "base/printable.hpp"
#include "io/random.hpp"

namespace tenon::redis {
namespace {

constexpr int oldest_release = 7;
constexpr std::size_t max_shown = 200;

// A pause of at least half of `longest`, so that nodes do not connect in step.
std::chrono::milliseconds with_jitter(std::chrono::milliseconds longest) {
    const auto bytes = io::random_bytes<2>();
    const auto share = static_cast<long>(bytes[0] | bytes[1] << 8);
    return longest / 2 + longest * share / 2 / 65536;
}

std::string field(std::string_view info, std::string_view name) {
    const auto at = info.find(std::string(name) + ":");
    if (at == std::string_view::npos) return {};
    const auto rest = info.substr(at + name.size() + 1);
    return std::string(rest.substr(0, rest.find_first_of("\r\n")));
}

framing::RespReader::Limits reader_limits(const StoreLimits& limits) {
    framing::RespReader::Limits out;
    out.max_reply_bytes = std::max(limits.max_value_bytes, limits.max_batch_bytes) * 2 + 1024 * 1024;
    return out;
}

}  // namespace

Error error_of(const RespValue& value) {
    const std::string shown = base::printable(value.text, max_shown);
    const auto begins = [&](std::string_view word) { return value.text.starts_with(word); };
    if (begins("NOAUTH") || begins("WRONGPASS") || begins("NOPERM") || begins("ERR AUTH") ||
        value.text.find("invalid username-password pair") != std::string::npos)
        return {code::store_misconfigured, "Redis refused the login or a permission: " + shown};
    if (begins("READONLY"))
        return store::unavailable("this Redis server is a read-only replica. Use the address of the primary");
    if (begins("OOM")) return store::unavailable("Redis is out of memory (maxmemory): " + shown);
    if (begins("MOVED") || begins("ASK") || begins("CROSSSLOT"))
        return {code::store_misconfigured,
                "this is one node of a Redis Cluster. Use a proxy that knows the slots, or a single server: " + shown};
    if (begins("WRONGTYPE")) return {code::store_corrupt, "a key of the store has foreign content: " + shown};
    if (begins("ERR DB index") || begins("ERR invalid DB index"))
        return {code::store_misconfigured, "the database number of the URL is wrong: " + shown};
    return store::unavailable("Redis failed: " + shown);
}

Link::Link(std::shared_ptr<boost::asio::io_context> loop, Address address, const StoreLimits& limits,
           Callbacks callbacks)
    : loop_(std::move(loop)),
      address_(std::move(address)),
      limits_(limits),
      callbacks_(std::move(callbacks)),
      timer_(*loop_) {}

Error Link::failed(const std::string& why) const {
    return store::unavailable("Redis at " + address_.text() + " cannot be used: " + base::printable(why, max_shown));
}

void Link::connect() {
    state_ = State::connecting;
    ++connection_;
    reader_ = std::make_unique<framing::RespReader>(reader_limits(limits_));
    output_.clear();
    writing_ = false;
    socket_ = make_socket(loop_, address_);
    timer_.expires_after(limits_.connect_time);
    timer_.async_wait([weak = weak_from_this(), current = connection_](error_code cancelled) {
        const auto self = weak.lock();
        if (!cancelled && self && self->connection_ == current && !self->ready())
            self->fail(self->failed("no connection within StoreLimits::connect_time"));
    });
    socket_->connect([weak = weak_from_this(), current = connection_](const std::string& error) {
        if (const auto self = weak.lock(); self && self->connection_ == current) self->on_connected(error);
    });
}

void Link::on_connected(const std::string& error) {
    if (!error.empty()) return fail(failed(error));
    state_ = State::greeting;
    greet();
    read();
}

void Link::greet() {
    std::string commands;
    expected_.clear();
    const auto add = [&](std::string name, std::initializer_list<std::string_view> parts) {
        framing::append_resp_command(commands, parts);
        expected_.push_back(std::move(name));
    };
    if (!address_.password.empty()) {
        if (address_.user.empty())
            add("AUTH", {"AUTH", address_.password});
        else
            add("AUTH", {"AUTH", address_.user, address_.password});
    }
    if (address_.database != 0) add("SELECT", {"SELECT", std::to_string(address_.database)});
    add("INFO", {"INFO", "server"});
    for (const auto& script : scripts_) add("SCRIPT", {"SCRIPT", "LOAD", script});
    std::reverse(expected_.begin(), expected_.end());
    output_ += commands;
    write();
}

void Link::on_greeting(const RespValue& value) {
    const auto command = std::move(expected_.back());
    expected_.pop_back();
    if (value.is_error()) return fail(error_of(value));
    if (command == "INFO") {
        release_ = base::printable(field(value.text, "redis_version"), 40);
        if (std::atoi(release_.c_str()) < oldest_release)
            return fail({code::store_misconfigured, "Redis at " + address_.text() + " has version \"" + release_ +
                                                        "\", but Tenon needs 7.0 or newer"});
    }
    if (!expected_.empty()) return;
    state_ = State::ready;
    pause_ = std::chrono::milliseconds(0);
    timer_.cancel();
    callbacks_.on_ready();
}

void Link::read() {
    socket_->read([weak = weak_from_this(), current = connection_](std::string_view bytes) {
        if (const auto self = weak.lock(); self && self->connection_ == current) self->on_bytes(bytes);
    });
}

void Link::on_bytes(std::string_view bytes) {
    if (bytes.empty()) return fail(failed("the connection was closed"));
    const auto current = connection_;
    const bool valid = reader_->feed(bytes, [&](RespValue&& value) {
        if (connection_ != current || state_ == State::closed) return;  // an earlier value ended this connection
        if (state_ == State::greeting)
            on_greeting(value);
        else
            callbacks_.on_value(std::move(value));
    });
    if (connection_ != current || state_ == State::closed || state_ == State::idle) return;
    if (!valid) return fail(failed(reader_->error()));
    read();
}

void Link::send(std::string_view commands) {
    output_ += commands;
    write();
}

void Link::write() {
    if (writing_ || output_.empty()) return;
    writing_ = true;
    // The callback owns the bytes: a socket that was closed may still read them.
    const auto bytes = std::make_shared<const std::string>(std::exchange(output_, {}));
    socket_->write(*bytes, [weak = weak_from_this(), current = connection_, bytes](error_code error) {
        const auto self = weak.lock();
        if (!self || self->connection_ != current) return;
        self->writing_ = false;
        if (error) return self->fail(self->failed(error.message()));
        self->write();
    });
}

void Link::restart(Error why) {
    if (state_ != State::closed) fail(std::move(why));
}

void Link::fail(Error why) {
    if (state_ == State::closed || state_ == State::idle) return;
    state_ = State::idle;
    const auto current = ++connection_;
    socket_->close();
    pause_ = std::min(std::max(pause_ * 2, limits_.first_reconnect), limits_.longest_reconnect);
    timer_.expires_after(with_jitter(pause_));
    timer_.async_wait([weak = weak_from_this(), current](error_code cancelled) {
        const auto self = weak.lock();
        if (!cancelled && self && self->connection_ == current && self->state_ == State::idle) self->connect();
    });
    callbacks_.on_down(why);
}

void Link::close() {
    state_ = State::closed;
    ++connection_;
    timer_.cancel();
    if (socket_) socket_->close();
    callbacks_ = {};
}

}  // namespace tenon::redis
