#include "redis/redis_backend.hpp"

namespace tenon::redis {

RedisBackend::RedisBackend(Token, Address address, const StoreOptions& options)
    : address_(std::move(address)),
      limits_(options.limits),
      log_(options.log),
      operation_time_(options.limits.operation_time),
      commands_(address_.prefix),
      delayed_(options.limits.max_subscriptions) {}

std::shared_ptr<RedisBackend> RedisBackend::open(Address address, const StoreOptions& options) {
    auto out = std::make_shared<RedisBackend>(Token{}, std::move(address), options);
    out->start();
    return out;
}

void RedisBackend::start() {
    // Callbacks of the loop use plain pointers: the thread owns this object until the loop has ended.
    Link::Callbacks commands;
    commands.on_ready = [this] {
        if (down_ || !commands_up_)
            note(LogLevel::info, "connected to Redis " + link_->version() + " at " + address_.text());
        down_.reset();
        commands_up_ = true;
        drain();
    };
    commands.on_value = [this](RespValue&& value) { on_reply(std::move(value)); };
    commands.on_down = [this](const Error& why) { on_commands_down(why); };
    link_ = std::make_shared<Link>(loop_, address_, limits_, std::move(commands));
    std::vector<std::string> texts;
    for (const auto& script : scripts()) texts.push_back(script.text);
    link_->preload(std::move(texts));

    Link::Callbacks channels;
    channels.on_ready = [this] { on_channels_ready(); };
    channels.on_value = [this](RespValue&& value) { on_message(std::move(value)); };
    channels.on_down = [this](const Error&) { requested_.clear(), confirmed_.clear(); };
    channels_ = std::make_shared<Link>(loop_, address_, limits_, std::move(channels));

    subscribers_ = std::make_shared<store::Subscribers>(limits_, [weak = weak_from_this()](const std::string& topic) {
        if (const auto self = weak.lock()) self->post([self, topic] { self->on_topic_changed(topic); });
    });
    boost::asio::post(*loop_, [this] {
        link_->start();
        channels_->start();
        keep_alive();
    });
    thread_ = std::thread([self = shared_from_this()] { self->loop_->run(); });
}

void RedisBackend::close() {
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(closed_, true)) return;
    }
    subscribers_->close();
    boost::asio::post(*loop_, [self = shared_from_this()] { self->shut_down(); });
    if (thread_.get_id() == std::this_thread::get_id())
        thread_.detach();  // it owns this object until it ends
    else
        thread_.join();
}

void RedisBackend::shut_down() {
    link_->close();
    channels_->close();
    deadline_timer_.cancel();
    ping_timer_.cancel();
    delay_timer_.cancel();
    delayed_.clear();
    drain();
    fail_all(sent_, store::op::store_closed());
    fail_all(waiting_, store::op::store_closed());
    work_.reset();
}

std::string RedisBackend::description() const { return "Redis " + link_->version() + " at " + address_.text(); }

void RedisBackend::note(LogLevel level, const std::string& text) const {
    if (log_) log_(level, text);
}

std::optional<Error> RedisBackend::admit(std::size_t size) {
    if (operations_.fetch_add(1) >= limits_.max_operations) {
        --operations_;
        return store::unavailable("too many operations wait for Redis (StoreLimits::max_operations)");
    }
    if (bytes_.fetch_add(size) + size > limits_.max_queued_bytes) {
        --operations_;
        bytes_ -= size;
        return store::unavailable("too many bytes wait for Redis (StoreLimits::max_queued_bytes)");
    }
    return std::nullopt;
}

void RedisBackend::enqueue(Pending pending) {
    {
        const std::lock_guard lock(mutex_);
        if (!closed_) {
            inbox_.push_back(std::move(pending));
            if (inbox_.size() > 1) return;  // the loop was told already
            boost::asio::post(*loop_, [this] { drain(); });
            return;
        }
    }
    finish(std::move(pending), store::op::store_closed());
}

void RedisBackend::raw(std::vector<std::string> parts, std::function<void(Result<RespValue>&&)> done) {
    if (auto refused = admit(0)) return done(std::move(*refused));
    enqueue({Command{{}, 0, std::move(parts)}, 0, later(Clock::now(), operation_time_), std::move(done)});
}

// Passes on what other threads have queued.
void RedisBackend::drain() {
    std::vector<Pending> arrived;
    {
        const std::lock_guard lock(mutex_);
        arrived.swap(inbox_);
    }
    if (link_->ready()) {
        std::string together;  // one system call for all
        for (auto& pending : std::exchange(waiting_, {})) add(std::move(pending), together);
        for (auto& pending : arrived) add(std::move(pending), together);
        link_->send(together);
    } else {
        for (auto& pending : arrived) {
            if (down_)
                finish(std::move(pending), *down_);  // fails at once until there is a connection again
            else
                waiting_.push_back(std::move(pending));
        }
    }
    watch_deadlines();
}

void RedisBackend::add(Pending pending, std::string& commands) {
    commands += pending.command.encode(pending.whole);
    sent_.push_back(std::move(pending));
}

void RedisBackend::on_reply(RespValue&& value) {
    if (sent_.empty()) return link_->restart(store::unavailable("Redis sent a reply without a command"));
    auto pending = std::move(sent_.front());
    sent_.pop_front();
    if (value.is_error()) {
        // The scripts were lost: SCRIPT FLUSH, or a new primary.
        if (value.text.starts_with("NOSCRIPT") && !pending.whole) {
            pending.whole = true;
            std::string again;
            add(std::move(pending), again);
            return link_->send(again);
        }
        return finish(std::move(pending), error_of(value));
    }
    finish(std::move(pending), std::move(value));
}

void RedisBackend::finish(Pending pending, Result<RespValue>&& result) {
    --operations_;
    bytes_ -= pending.size;
    pending.done(std::move(result));
}

void RedisBackend::fail_all(std::deque<Pending>& list, const Error& why) {
    for (auto& pending : std::exchange(list, {})) finish(std::move(pending), why);
}

void RedisBackend::on_commands_down(const Error& why) {
    if (!down_) note(LogLevel::warning, why.message);
    down_ = why;
    fail_all(sent_, why);
    fail_all(waiting_, why);
}

void RedisBackend::watch_deadlines() {
    if (deadline_set_ || (sent_.empty() && waiting_.empty())) return;
    auto first = TimePoint::max();
    if (!sent_.empty()) first = std::min(first, sent_.front().deadline);
    if (!waiting_.empty()) first = std::min(first, waiting_.front().deadline);
    deadline_set_ = true;
    deadline_timer_.expires_at(first);
    deadline_timer_.async_wait([this](error_code cancelled) {
        deadline_set_ = false;
        if (!cancelled) on_deadline();
    });
}

void RedisBackend::on_deadline() {
    const auto now = Clock::now();
    if (!sent_.empty() && sent_.front().deadline <= now) {
        link_->restart(store::unavailable("Redis at " + address_.text() + " gave no answer within " +
                                          std::to_string(limits_.operation_time.count()) +
                                          " ms (StoreLimits::operation_time)"));
    } else if (!waiting_.empty() && waiting_.front().deadline <= now) {
        fail_all(waiting_, store::unavailable("there is no connection to Redis at " + address_.text()));
    }
    watch_deadlines();
}

// Work for later.

void RedisBackend::after(std::chrono::milliseconds wait, std::function<void()> work) {
    post([this, when = later(Clock::now(), wait), work = std::move(work)]() mutable {
        delayed_.add(when, std::move(work));
        watch_delayed();
    });
}

void RedisBackend::watch_delayed() {
    const auto next = delayed_.next();
    if (!next) return;
    delay_timer_.expires_at(*next);
    delay_timer_.async_wait([this](error_code cancelled) {
        if (cancelled) return;
        for (const auto& work : delayed_.take_due(Clock::now())) work();
        watch_delayed();
    });
}

// Subscriptions.

store::Subscription RedisBackend::subscribe(std::string topic, store::Listener listener) {
    auto out = subscribers_->add(topic, std::move(listener), false);
    // A further subscription of a topic begins at once if the channel is open. The first one has begun if the server
    // has confirmed it meanwhile.
    post([self = shared_from_this(), topic = std::move(topic)] {
        if (self->confirmed_.contains(topic)) self->subscribers_->begin(topic);
    });
    return out;
}

void RedisBackend::on_topic_changed(const std::string& topic) {
    const bool wanted = subscribers_->has(topic), requested = requested_.contains(topic);
    if (!channels_->ready() || wanted == requested) return;
    std::string command;
    framing::append_resp_command(command, {wanted ? "SUBSCRIBE" : "UNSUBSCRIBE", commands_.channel(topic)});
    channels_->send(command);
    if (wanted) {
        requested_.insert(topic);
    } else {
        requested_.erase(topic);
        confirmed_.erase(topic);
    }
}

void RedisBackend::on_channels_ready() {
    pinged_ = false;
    for (const auto& topic : subscribers_->topics()) on_topic_changed(topic);
}

void RedisBackend::on_message(RespValue&& value) {
    pinged_ = false;
    if (value.is_error()) return channels_->restart(error_of(value));
    if (value.items.size() != 3) return;  // the answer to PING
    const auto topic = commands_.topic(value.items[1].text);
    if (!topic) return;
    if (value.items[0].text == "message") return subscribers_->publish(*topic, value.items[2].text);
    if (value.items[0].text != "subscribe" || !requested_.contains(*topic)) return;
    confirmed_.insert(*topic);
    subscribers_->gap(*topic);
}

// A connection that only receives would not notice that the server is gone.
void RedisBackend::keep_alive() {
    ping_timer_.expires_after(limits_.operation_time);
    ping_timer_.async_wait([this](error_code cancelled) {
        if (cancelled) return;
        if (channels_->ready()) {
            if (std::exchange(pinged_, true)) {
                channels_->restart(store::unavailable("Redis does not answer"));
            } else {
                std::string command;
                framing::append_resp_command(command, {"PING"});
                channels_->send(command);
            }
        }
        keep_alive();
    });
}

}  // namespace tenon::redis
