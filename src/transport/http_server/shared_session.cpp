#include "transport/http_server/shared_session.hpp"

#include <algorithm>

namespace tenon {

// ---- what the store must do

void SharedSession::queue(Work work) {
    const std::lock_guard lock(mutex_);
    queued_.push_back(std::move(work));
}

void SharedSession::append(Stream stream, std::string log_name, std::optional<std::string> payload, bool last) {
    queue([stream, log_name = std::move(log_name), payload = std::move(payload), last](SharedSession& self) mutable {
        auto& events = self.node().store().events();
        if (!payload)
            return events.finish(self.log(std::move(log_name)), self.options_.keep,
                                 make_reply<void>([](const auto&) {}));
        auto done = [weak = self.weak_from_this(), stream](const Result<store::EventId>& id) {
            const auto alive = weak.lock();
            if (!alive) return;
            const bool fenced = !id && store::is_conflict(id.error()) && alive->options_.fenced;
            alive->node().run([&] {
                if (fenced) return alive->options_.fenced(stream);
                alive->options_.stored(stream, id);
            });
        };
        events.append(self.log(std::move(log_name)), *std::move(payload), last, self.options_.keep,
                      make_reply<store::EventId>(std::move(done)));
    });
}

void SharedSession::tell_listener(std::string message, bool everywhere) {
    const auto key = everywhere ? Announcing::key() : std::nullopt;
    queue([event = web::encode_event({.data = message, .once = key})](SharedSession& self) mutable {
        self.node().store().events().append(self.log(std::string(web::listener_log)), std::move(event), false,
                                            self.options_.keep, make_reply<store::EventId>([](const auto&) {}));
    });
}

void SharedSession::mark_listener(const web::StoredEvent& mark,
                                  std::function<void(const Result<store::EventId>&)> done) {
    auto marked = [node = options_.node, done = std::move(done)](const Result<store::EventId>& id) {
        node->run([&] { done(id); });
    };
    node().store().events().append(log(std::string(web::listener_log)), web::encode_event(mark), false, options_.keep,
                                   make_reply<store::EventId>(std::move(marked)));
}

void SharedSession::expect_answer(std::int64_t question) {
    queue([question](SharedSession& self) {
        const std::string id = self.copy() + "-" + std::to_string(question);
        auto take = [weak = self.weak_from_this()](std::string answer) {
            const auto alive = weak.lock();
            if (alive) alive->node().run([&] { alive->options_.answered(std::move(answer)); });
        };
        auto subscription = self.node().store().bus().receive(self.box(id), std::move(take));
        const std::lock_guard lock(self.mutex_);
        self.answers_.insert_or_assign(question, std::move(subscription));
    });
}

// ---- calls of restartable tools

void SharedSession::store_call(Stream stream, const std::string& log_name, jsonrpc::Id id, std::string record,
                               std::function<void(std::optional<Error>)> done) {
    {
        const std::lock_guard lock(mutex_);
        calls_.insert_or_assign(stream, StoredCall{std::move(id), log_name});
    }
    auto stored = [node = options_.node, done = std::move(done)](const Result<store::EventId>& result) {
        node->run([&] { done(result ? std::nullopt : std::optional(result.error())); });
    };
    node().store().events().append(record_of(log_name), std::move(record), false, options_.keep,
                                   make_reply<store::EventId>(std::move(stored)));
}

std::optional<jsonrpc::Id> SharedSession::stored_call(Stream stream) const {
    const std::lock_guard lock(mutex_);
    const auto it = calls_.find(stream);
    return it == calls_.end() ? std::nullopt : std::optional(it->second.id);
}

void SharedSession::forget_call(Stream stream) {
    const std::lock_guard lock(mutex_);
    const auto it = calls_.find(stream);
    if (it == calls_.end()) return;
    queued_.push_back([name = std::move(it->second.log)](SharedSession& self) {
        self.node().store().events().remove(self.record_of(name), make_reply<bool>([](const auto&) {}));
    });
    calls_.erase(it);
}

bool SharedSession::begin_taking(const std::string& log_name) {
    const std::lock_guard lock(mutex_);
    return taking_.insert(log_name).second;
}

void SharedSession::taken(const std::string& log_name) {
    const std::lock_guard lock(mutex_);
    taking_.erase(log_name);
}

void SharedSession::retry_later(std::function<void()> f) {
    const std::lock_guard lock(mutex_);
    retries_.push_back(std::move(f));
}

bool SharedSession::has_retries() const {
    const std::lock_guard lock(mutex_);
    return !retries_.empty();
}

// Only one thread at a time does the work, in order. Others leave theirs to it.
void SharedSession::flush() {
    for (bool first = true;; first = false) {
        std::vector<Work> work;
        {
            const std::lock_guard lock(mutex_);
            if (first && flushing_) return;
            flushing_ = !queued_.empty();
            if (!flushing_) return;
            work.swap(queued_);
        }
        for (Work& one : work) one(*this);
    }
}

// ---- GET streams

bool SharedSession::add(const std::shared_ptr<LogFollower>& follower, std::size_t most) {
    const std::lock_guard lock(mutex_);
    std::erase_if(followers_, [](const auto& one) { return one->over(); });
    if (followers_.size() >= most) return false;
    followers_.push_back(follower);
    return true;
}

std::vector<std::shared_ptr<LogFollower>> SharedSession::all_followers() const {
    const std::lock_guard lock(mutex_);
    return followers_;
}

void SharedSession::close_followers(const std::string& name, const LogFollower* except) {
    for (const auto& follower : all_followers())
        if (follower->shows(name) && follower.get() != except) follower->close();
}

void SharedSession::close_all(long long retry_ms) {
    for (const auto& follower : all_followers()) follower->close(retry_ms);
}

std::size_t SharedSession::followers() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count_if(followers_, [](const auto& one) { return !one->over(); }));
}

// ---- time

void SharedSession::forget_answered(const std::function<bool(std::int64_t)>& asks) {
    std::vector<store::Subscription> over;  // released without the lock
    const std::lock_guard lock(mutex_);
    for (auto it = answers_.begin(); it != answers_.end();) {
        if (asks(it->first)) {
            ++it;
            continue;
        }
        over.push_back(std::move(it->second));
        it = answers_.erase(it);
    }
}

void SharedSession::tick(TimePoint now, bool keep_alive, bool used, std::function<void()> gone) {
    bool touch = false, check = false;
    std::vector<std::function<void()>> retries;
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(followers_, [](const auto& one) { return one->over(); });
        used |= !followers_.empty();
        touch = used && (!touched_ || now - *touched_ >= options_.ttl / 5);
        if (touch) touched_ = now;
        check = !checked_ || now - *checked_ >= ClusterNode::lease_interval;
        if (check) checked_ = now, retries.swap(retries_);
    }
    for (const auto& retry : retries) retry();
    for (const auto& follower : all_followers()) {
        if (keep_alive) follower->keep_alive();
        if (check) follower->check_node();
    }
    if (!touch) return;
    node().touch(options_.id, options_.ttl, [gone = std::move(gone)](const std::optional<Error>& error) {
        if (error && store::is_not_found(*error)) gone();
    });
}

}  // namespace tenon
