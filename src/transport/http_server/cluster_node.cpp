#include "transport/http_server/cluster_node.hpp"

#include <algorithm>

#include "framing/http_fields.hpp"
#include "io/random.hpp"
#include "transport/http_server/session_record.hpp"

namespace tenon {
namespace {

constexpr std::string_view topic = "nodes";

std::string lease_key(const std::string& node) { return "node:" + node; }

Error over_already() { return {code::store_not_found, "the session was ended"}; }

std::string member(const json::object& message, std::string_view name) {
    const json::value* v = message.if_contains(name);
    return v && v->is_string() ? std::string(v->get_string()) : std::string();
}

template <class T>
std::optional<Error> error_of(const Result<T>& result) {
    return result ? std::nullopt : std::optional(result.error());
}

}  // namespace

template <class T>
Reply<T> ClusterNode::report_to(Done done) {
    return make_reply<T>([self = shared_from_this(), done = std::move(done)](const Result<T>& result) {
        if (done) self->run([&] { done(error_of(result)); });
    });
}

void ClusterNode::close() {
    closed_.store(true);
    for (std::size_t running = running_.load(); running > Running::depth(); running = running_.load())
        running_.wait(running);
}

ClusterNode::ClusterNode(std::shared_ptr<Store> store, std::string name)
    : store_(std::move(store)), name_(std::move(name)) {}

std::string ClusterNode::new_name() {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out = "n";
    for (const std::uint8_t byte : io::random_bytes<6>()) out += {digits[byte >> 4], digits[byte & 15]};
    return out;
}

// ---- loading sessions

std::optional<LoadedSession> ClusterNode::load(const std::string& id, const std::function<void()>& retry,
                                               const std::string& network) {
    std::function<void()> displaced;
    std::optional<LoadedSession> now;
    for (bool waits = false; !now && !waits;) {
        bool first = false;
        {
            const std::lock_guard lock(mutex_);
            if (auto kept = take(id)) return kept;
            first = loading_.emplace(id, true).second;
        }
        if (first) start_load(id);
        const std::lock_guard lock(mutex_);
        const auto it = loading_.find(id);
        if (it != loading_.end() && first) it->second = false;
        if ((now = take(id)) || it == loading_.end()) continue;  // the store has answered already
        waits = waiting_.add(id, network, retry, displaced);
        if (!waits) now = store::unavailable("too many requests wait for their session");
    }
    if (displaced) displaced();
    return now;
}

void ClusterNode::start_load(const std::string& id, int tries) {
    auto take = [weak = weak_from_this(), id, tries](Result<store::StoredSession> stored) {
        const auto self = weak.lock();
        if (!self) return;
        if (stored) return self->add_own_copy(id, *std::move(stored), tries);
        self->run([&] { self->loaded(id, stored.error()); });
    };
    store_->sessions().load(id, make_reply<store::StoredSession>(std::move(take)));
}

// The record must name this node before a request uses it. So a node that changes the session later asks this one to
// confirm.
void ClusterNode::add_own_copy(const std::string& id, store::StoredSession stored, int tries) {
    if (decode_extra(stored.record.extra).ended) return run([&] { loaded(id, over_already()); });
    if (!add_copy(stored.record, name_)) return run([&] { loaded(id, std::move(stored.record)); });
    auto written = [weak = weak_from_this(), id, tries, record = stored.record](const Result<std::uint64_t>& version) {
        const auto self = weak.lock();
        if (!self) return;
        if (!version && store::is_conflict(version.error()) && tries > 1) return self->start_load(id, tries - 1);
        self->run([&] { self->loaded(id, version ? LoadedSession(record) : LoadedSession(version.error())); });
    };
    const auto ttl = std::max(stored.expires_in, std::chrono::milliseconds(1));
    store_->sessions().update(std::move(stored.record), stored.version, ttl,
                              make_reply<std::uint64_t>(std::move(written)));
}

// Keeps the session only for the requests that asked for it: a later request must see later changes.
void ClusterNode::loaded(const std::string& id, LoadedSession session) {
    std::vector<WaitingRequests::Retry> ready;
    {
        const std::lock_guard lock(mutex_);
        const bool starter_is_coming = loading_[id];
        loading_.erase(id);
        ready = waiting_.take(id);
        if (ended_.contains(id)) session = over_already();
        const std::size_t uses = ready.size() + (starter_is_coming ? 1 : 0);
        if (uses > 0) kept_.insert_or_assign(id, Kept{std::move(session), uses, now_});
    }
    for (const auto& retry : ready)
        if (retry) retry();
}

std::optional<LoadedSession> ClusterNode::take(const std::string& id) {
    const auto it = kept_.find(id);
    if (it == kept_.end()) return std::nullopt;
    LoadedSession out = it->second.session;
    if (--it->second.uses == 0) kept_.erase(it);
    return out;
}

void ClusterNode::mark_ended(const std::string& id) {
    const std::lock_guard lock(mutex_);
    kept_.erase(id);
    if (!ended_.insert_or_assign(id, now_).second) return;
    ended_order_.push_back(id);
    if (ended_order_.size() <= max_ended) return;
    ended_.erase(ended_order_.front());
    ended_order_.pop_front();
}

bool ClusterNode::was_ended(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return ended_.contains(id);
}

// ---- changing sessions

void ClusterNode::create(store::SessionRecord record, std::chrono::milliseconds ttl, Done done) {
    store_->sessions().create(std::move(record), ttl, report_to<std::uint64_t>(std::move(done)));
}

void ClusterNode::remove(const std::string& id, Done done) {
    store_->sessions().remove(id, report_to<bool>(std::move(done)));
}

// A session that was ended must not be kept alive, though its record may still be there: removing it can fail.
void ClusterNode::touch(const std::string& id, std::chrono::milliseconds ttl, Done done) {
    auto loaded = [self = shared_from_this(), id, ttl, done = std::move(done)](const Result<store::StoredSession>& s) {
        if (!s) return self->run([&] { done(s.error()); });
        if (decode_extra(s->record.extra).ended) return self->run([&] { done(over_already()); });
        self->store_->sessions().touch(id, ttl, self->report_to<void>(done));
    };
    store_->sessions().load(id, make_reply<store::StoredSession>(std::move(loaded)));
}

void ClusterNode::change(const std::string& id, std::function<void(store::SessionRecord&)> edit,
                         std::chrono::milliseconds ttl, Done done) {
    try_change(id, std::move(edit), ttl, max_conflicts, std::move(done));
}

// Reads, edits, and writes if no other node has written meanwhile.
void ClusterNode::try_change(const std::string& id, std::function<void(store::SessionRecord&)> edit,
                             std::chrono::milliseconds ttl, int tries, Done done) {
    auto write = [self = shared_from_this(), id, edit = std::move(edit), ttl, tries,
                  done = std::move(done)](Result<store::StoredSession> stored) {
        if (!stored) return self->run([&] { done(stored.error()); });
        edit(stored->record);
        auto written = [self, id, edit, ttl, tries, done](const Result<std::uint64_t>& result) {
            if (!result && store::is_conflict(result.error()) && tries > 1)
                return self->try_change(id, edit, ttl, tries - 1, done);
            self->run([&] { done(error_of(result)); });
        };
        self->store_->sessions().update(std::move(stored->record), stored->version, ttl,
                                        make_reply<std::uint64_t>(std::move(written)));
    };
    store_->sessions().load(id, make_reply<store::StoredSession>(std::move(write)));
}

// ---- messages

void ClusterNode::publish(json::object message, Done done) {
    message["node"] = name_;
    store_->bus().publish(std::string(topic), json::write(message), report_to<void>(std::move(done)));
}

// A node that is gone cannot confirm. Its lease says so; otherwise the wait ends soon.
void ClusterNode::publish_confirmed(json::object message, std::vector<std::string> nodes, Done done) {
    std::erase(nodes, name_);
    const auto token = confirmations_.add(nodes, [done] { done({}); });
    if (!token)
        return publish(std::move(message), [done, needed = !nodes.empty()](const std::optional<Error>& error) {
            done(needed ? error : std::nullopt);
        });
    message["confirm"] = std::to_string(*token);
    message["nodes"] = json::array(nodes.begin(), nodes.end());
    publish(std::move(message), [self = shared_from_this(), token = *token, done](const std::optional<Error>& error) {
        if (error && self->confirmations_.drop(token)) done(error);
    });
    for (const std::string& node : nodes)
        is_gone(node, [self = shared_from_this(), token = *token, node](bool gone) {
            if (gone) self->confirmations_.confirm(token, node);
        });
}

void ClusterNode::confirm(const json::object& message) {
    const json::value* nodes = message.if_contains("nodes");
    if (!nodes || !nodes->is_array() ||
        std::ranges::find(nodes->get_array(), json::value(name_)) == nodes->get_array().end())
        return;
    publish({{"kind", "confirmed"}, {"to", member(message, "node")}, {"token", member(message, "confirm")}});
}

void ClusterNode::listen(OnMessage on_message, std::function<void()> on_gap) {
    auto gap = [weak = weak_from_this(), on_gap = std::move(on_gap)] {
        if (const auto self = weak.lock()) self->run(on_gap);
    };
    auto take = [weak = weak_from_this(), name = name_, on_message = std::move(on_message)](std::string_view bytes) {
        const auto parsed = json::parse(bytes);
        const json::object* o = parsed ? parsed->if_object() : nullptr;
        const json::value* from = o ? o->if_contains("node") : nullptr;
        if (!from || !from->is_string()) return;
        const auto self = weak.lock();
        if (!self) return;
        const std::string sender(from->get_string());
        self->confirmations_.heard(sender);
        if (member(*o, "kind") != "confirmed") return self->run([&] { on_message(*o, sender == name); });
        const auto token = framing::parse_decimal(member(*o, "token"));
        if (token && member(*o, "to") == name) self->run([&] { self->confirmations_.confirm(*token, sender); });
    };
    auto subscription = store_->bus().subscribe(std::string(topic), {std::move(take), std::move(gap)});
    const std::lock_guard lock(mutex_);
    subscription_ = std::move(subscription);
}

// ---- the lease

void ClusterNode::tick(TimePoint now) {
    confirmations_.tick(now);
    std::optional<store::Token> lease;
    {
        const std::lock_guard lock(mutex_);
        now_ = now;
        std::erase_if(kept_, [now](const auto& entry) { return now - entry.second.when >= max_load_age; });
        while (!ended_order_.empty() && now - ended_.at(ended_order_.front()) >= max_load_age) {
            ended_.erase(ended_order_.front());
            ended_order_.pop_front();
        }
        if (left_ || (extended_ && now - *extended_ < lease_interval)) return;
        extended_ = now;
        lease = lease_;
    }
    if (!lease) return acquire();
    store_->values().extend(lease_key(name_), *lease, lease_time, report_to<void>([](const auto&) {}));
}

void ClusterNode::acquire() {
    store_->values().acquire(lease_key(name_), name_, lease_time,
                             make_reply<store::Lease>([weak = weak_from_this()](const Result<store::Lease>& lease) {
                                 const auto self = weak.lock();
                                 if (!self || !lease) return;
                                 const std::lock_guard lock(self->mutex_);
                                 self->lease_ = lease->token;
                             }));
}

void ClusterNode::is_gone(const std::string& node, std::function<void(bool)> done) {
    store_->values().look_up(
        lease_key(node), make_reply<store::Lease>([self = shared_from_this(),
                                                   done = std::move(done)](const Result<store::Lease>& lease) {
            const bool gone = lease ? lease->left.count() == 0 : store::is_not_found(lease.error());
            self->run([&] { done(gone); });
        }));
}

void ClusterNode::leave() {
    store::Subscription subscription;
    std::optional<store::Token> lease;
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(left_, true)) return;
        std::swap(subscription, subscription_);
        lease = lease_;
    }
    if (lease)
        store_->values().extend(lease_key(name_), *lease, std::chrono::milliseconds(0),
                                report_to<void>([](const auto&) {}));
}

}  // namespace tenon
