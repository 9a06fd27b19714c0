#include "simulation/cluster/store_model.hpp"

#include <algorithm>

namespace tenon::test {

// ---- the store

WallTime StoreModel::now() const {
    return WallTime(std::chrono::hours(24 * 365)) +
           std::chrono::duration_cast<WallTime::duration>(agenda.now() - begin_ + skipped_);
}

Duration StoreModel::delay() {
    const std::size_t most = dice.one_in(12) ? 400'000 : 3'000;
    return std::chrono::microseconds(50 + dice.below(most));
}

std::size_t StoreModel::bytes_after(Duration time) {
    skipped_ += time;
    tables_.sweep(now(), 1'000'000);
    return tables_.bytes();
}

void StoreModel::publish(const std::string& topic, const std::string& bytes) {
    std::erase_if(links_, [](const auto& link) { return link.expired(); });
    for (const auto& weak : links_)
        if (const auto link = weak.lock()) link->push(topic, bytes);
}

void StoreModel::look_at_lease(const std::string& key) {
    const std::string_view prefix = "node:";
    if (!key.starts_with(prefix)) return;
    const auto lease = tables_.apply(op::LeaseLookUp{key}, now());
    if (lease && lease->left.count() == 0) oracle.lapsed(key.substr(prefix.size()));
}

void StoreModel::look_at_task(const std::string& id, const std::string& bytes, bool created) {
    const auto task = store::decode_task(id, bytes);
    if (oracle.require(task.has_value(), "a task cannot be decoded")) oracle.wrote(*task, created);
}

void StoreModel::after(const op::EventAppend& op, const Result<store::EventId>&) {
    oracle.appended(op.stream, op.bytes, op.last);
    publish(store::stream_topic(op.stream), "");
}

void StoreModel::after(const op::EventFinish& op, const Result<void>&) {
    oracle.finished(op.stream);
    publish(store::stream_topic(op.stream), "");
}

// ---- a node's connections

void StoreLink::start() {
    subscribers_ = std::make_shared<store::Subscribers>(StoreLimits(), [weak = weak_from_this()](const auto& topic) {
        if (const auto self = weak.lock()) self->on_topic_changed(topic);
    });
}

// What is sent on one connection arrives in order.
TimePoint StoreLink::arrives(TimePoint& last) {
    const TimePoint earliest = std::max({last, model_.agenda.now() + model_.delay(), silent_until_});
    return last = earliest;
}

void StoreLink::drop_some() {
    bool dropping = false;
    for (const PendingPtr& pending : sent_) {
        dropping |= !pending->performed && model_.dice.one_in(2);
        if (dropping && !pending->performed) pending->dropped = true;
    }
}

void StoreLink::fail_all() {
    for (const PendingPtr& pending : std::exchange(sent_, {})) {
        pending->failed = true;
        door_->pass([self = shared_from_this(), pending] { pending->fail(*self); });
    }
}

void StoreLink::cut_commands(Duration away) {
    if (dead_) return;
    away = std::max(away, silence_left());  // during a partition no new connection can be made
    const int cut = ++commands_cut_;
    commands_up_ = false;
    drop_some();
    requests_arrive_ = answers_arrive_ = {};
    fail_all();
    model_.agenda.after(away, [self = shared_from_this(), cut] {
        if (self->commands_cut_ != cut || self->dead_) return;
        self->commands_up_ = true;
    });
}

void StoreLink::cut_channels(Duration away) {
    if (dead_) return;
    away = std::max(away, silence_left());
    const int cut = ++channels_cut_;
    channels_up_ = false;
    requested_.clear(), confirmed_.clear(), subscribed_.clear();
    messages_arrive_ = subscribing_arrives_ = {};
    model_.agenda.after(away, [self = shared_from_this(), cut] {
        if (self->channels_cut_ != cut || self->dead_) return;
        self->channels_up_ = true;
        for (const std::string& topic : self->subscribers_->topics()) self->on_topic_changed(topic);
    });
}

Duration StoreLink::silence_left() const { return silent_until_ - model_.agenda.now(); }

void StoreLink::partition(Duration time) {
    silent_until_ = std::max(silent_until_, later(model_.agenda.now(), time));
    if (time < operation_time) return;
    model_.agenda.after(operation_time, [self = shared_from_this()] {
        const Duration left = self->silence_left();
        if (left <= Duration::zero()) return;
        self->cut_commands(left);
        self->cut_channels(left);
    });
}

void StoreLink::kill() {
    drop_some();
    dead_ = true;
    commands_up_ = channels_up_ = false;
    subscribed_.clear();
    // Their replies belong to the node, and end with it.
    for (const PendingPtr& pending : std::exchange(sent_, {})) {
        pending->failed = true;
        pending->fail(*this);
    }
}

// ---- messages

store::Subscription StoreLink::subscribe(std::string topic, store::Listener listener) {
    auto out = subscribers_->add(topic, std::move(listener), false);
    if (confirmed_.contains(topic))
        model_.agenda.after(Duration::zero(), [self = shared_from_this(), topic] {
            self->door_->pass([self, topic] {
                if (self->confirmed_.contains(topic)) self->subscribers_->begin(topic);
            });
        });
    return out;
}

void StoreLink::on_topic_changed(const std::string& topic) {
    const bool wanted = subscribers_->has(topic);
    if (!channels_up_ || wanted == requested_.contains(topic)) return;
    wanted ? static_cast<void>(requested_.insert(topic))
           : static_cast<void>((requested_.erase(topic), confirmed_.erase(topic)));
    model_.agenda.at(arrives(subscribing_arrives_), [self = shared_from_this(), topic, wanted, cut = channels_cut_] {
        if (self->channels_cut_ != cut || self->dead_) return;
        if (!wanted) return static_cast<void>(self->subscribed_.erase(topic));
        self->subscribed_.insert(topic);
        self->confirm(topic);
    });
}

void StoreLink::confirm(const std::string& topic) {
    model_.agenda.at(arrives(messages_arrive_), [self = shared_from_this(), topic, cut = channels_cut_] {
        self->door_->pass([self, topic, cut] {
            if (self->channels_cut_ != cut || !self->requested_.contains(topic)) return;
            self->confirmed_.insert(topic);
            const bool hides = self->model_.mutant == Mutant::hides_gaps && self->channels_cut_ > 0;
            if (!hides) self->subscribers_->gap(topic);
        });
    });
}

void StoreLink::push(const std::string& topic, const std::string& bytes) {
    if (!subscribed_.contains(topic)) return;
    model_.agenda.at(arrives(messages_arrive_), [self = shared_from_this(), topic, bytes, cut = channels_cut_] {
        self->door_->pass([self, topic, bytes, cut] {
            if (self->channels_cut_ == cut) self->subscribers_->publish(topic, bytes);
        });
    });
}

}  // namespace tenon::test
