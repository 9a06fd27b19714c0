#include "transport/http_server/shared_token_gate.hpp"

#include "base/base64.hpp"

namespace tenon {

using auth::ReplayCache;

SharedTokenGate::SharedTokenGate(std::unique_ptr<auth::TokenGate> gate, Options options)
    : options_(std::move(options)), gate_(std::move(gate)), waiting_(gate_->limits().max_waiting) {}

std::optional<SharedTokenGate::Outcome> SharedTokenGate::admit(const framing::HttpRequest& head,
                                                               const std::function<void()>& retry,
                                                               const std::string& network) {
    auto verdict = verify(head, retry, network);
    if (!verdict) return std::nullopt;
    if (auto* refused = std::get_if<web::Response>(&*verdict)) return std::move(*refused);
    const auto& [credentials, token] = std::get<Verified>(*verdict);
    const WallTime now = options_.clock().wall;
    bool waits = false;
    auto admitted = gate_->admit(head, credentials, token, now, [&](const auth::Proof& proof) {
        return see(proof, now, {network, retry}, waits);
    });
    if (waits) return std::nullopt;
    return std::visit([](auto& one) { return Outcome(std::move(one)); }, admitted);
}

// ---- proofs of possession

// Asks the other nodes about a proof that is new here. A request that waits for the answer is admitted again, and takes
// it then. Of two requests with one proof only one asks, because the second one is a replay on this node already.
ReplayCache::Seen SharedTokenGate::see(const auth::Proof& proof, WallTime now, const Asker& asker, bool& waits) {
    {
        const std::lock_guard lock(mutex_);
        if (const auto answer = take_answer(proof.id)) return *answer;
        const ReplayCache::Seen here = gate_->see(proof, now);
        if (here != ReplayCache::Seen::never || !options_.claim) return here;
        if (!waiting_.has_room_for(asker.network)) return ReplayCache::Seen::no_room;
    }
    options_.claim(proof.id, gate_->lifetime(proof, now) + clock_skew,
                   [weak = weak_from_this(), id = proof.id](const Result<bool>& first) {
                       if (const auto self = weak.lock()) self->claimed(id, first);
                   });
    Retry displaced;
    {
        const std::lock_guard lock(mutex_);
        if (const auto answer = take_answer(proof.id)) return *answer;  // it came at once
        waits = waiting_.add(proof.id, asker.network, asker.retry, displaced);
    }
    if (displaced) displaced();
    return ReplayCache::Seen::no_room;
}

void SharedTokenGate::claimed(const std::string& id, const Result<bool>& first) {
    if (!first) warn("the store does not say whether a DPoP proof was used before: " + first.error().message);
    using Seen = ReplayCache::Seen;
    std::vector<Retry> ready;
    {
        const std::lock_guard lock(mutex_);
        const TimePoint now = options_.clock().steady;
        std::erase_if(answers_, [now](const auto& one) { return now - one.second.when >= max_answer_age; });
        if (answers_.size() < 2 * gate_->limits().max_waiting)
            answers_.insert_or_assign(id, Answer{!first ? Seen::no_room : *first ? Seen::never : Seen::before, now});
        ready = waiting_.take(id);
    }
    for (const auto& retry : ready) retry();
}

std::optional<ReplayCache::Seen> SharedTokenGate::take_answer(const std::string& id) {
    const auto it = answers_.find(id);
    if (it == answers_.end()) return std::nullopt;
    const ReplayCache::Seen out = it->second.seen;
    answers_.erase(it);
    return out;
}

// The first node that sets the value has the proof. The value does not matter.
SharedTokenGate::Claim claim_with(std::shared_ptr<ClusterNode> node) {
    return [node = std::move(node)](const std::string& proof, std::chrono::milliseconds time,
                                    SharedTokenGate::Claimed done) {
        auto answered = [node, done = std::move(done)](const Result<bool>& first) { node->run([&] { done(first); }); };
        node->store().values().set_if_absent("dpop:" + base::base64url_encode(proof), node->name(), time,
                                             make_reply<bool>(std::move(answered)));
    };
}

// ---- tokens

std::optional<SharedTokenGate::Verdict> SharedTokenGate::verify(const framing::HttpRequest& head,
                                                                const std::function<void()>& retry,
                                                                const std::string& network) {
    const auto read = gate_->read(head);
    if (const auto* refused = std::get_if<web::Response>(&read)) return *refused;
    const auth::Credentials credentials = std::get<auth::Credentials>(read);

    auth::TokenCheck verdict = check(auth::PresentedToken(credentials.token), {network, retry});
    if (std::holds_alternative<auth::WaitFor>(verdict)) return std::nullopt;
    if (const auto* bad = std::get_if<auth::BadToken>(&verdict)) return gate_->refuse(head, credentials, *bad);
    if (const auto* failed = std::get_if<auth::CannotCheck>(&verdict)) {
        warn(failed->why);
        return gate_->cannot_check(head);
    }
    return Verified{credentials, std::get<auth::Token>(std::move(verdict))};
}

// Verifies signatures without the lock, so that one client's tokens do not delay other clients.
auth::TokenCheck SharedTokenGate::check(auth::PresentedToken token, const Asker& asker) {
    auth::Step step = locked_step(asker, [&](const auth::Now& now) {
        token.may_wait = waiting_.has_room_for(asker.network);
        return gate_->checker().look(token, now);
    });
    while (const auto* work = std::get_if<auth::Work>(&step)) step = locked_step(asker, work->run());
    return auth::without_work(std::move(step));
}

// A request that loses its place to another one tries again at once, and is refused because its network still has the
// most waiting requests.
auth::Step SharedTokenGate::locked_step(const Asker& asker, const std::function<auth::Step(const auth::Now&)>& take) {
    std::vector<auth::FetchOrder> orders;
    auth::Step step;
    Retry displaced;
    {
        const std::lock_guard lock(mutex_);
        step = take(options_.clock());
        fetches_.add(gate_->checker().take_fetches(), asker.network);
        orders = fetches_.take_ready();
        const auto* wait = std::get_if<auth::WaitFor>(&step);
        if (wait && !waiting_.add(wait->what, asker.network, asker.retry, displaced))
            step = auth::CannotCheck{"too many requests wait until their token can be checked (max_waiting)"};
    }
    fetch(std::move(orders));
    if (displaced) displaced();
    return step;
}

void SharedTokenGate::fetch(std::vector<auth::FetchOrder> orders) {
    for (auth::FetchOrder& order : orders) {
        auto done = [weak = weak_from_this(), what = order.what, url = order.url](Result<std::string> body) {
            if (const auto self = weak.lock()) self->fetched(what, url, std::move(body));
        };
        options_.fetch(std::move(order), std::move(done));
    }
}

void SharedTokenGate::fetched(const std::string& what, const std::string& url, Result<std::string> body) {
    if (!body) options_.note(LogLevel::info, "could not fetch " + url + ": " + body.error().message);
    std::vector<Retry> ready;
    std::vector<auth::FetchOrder> orders;
    {
        const std::lock_guard lock(mutex_);
        fetches_.done(what);
        gate_->checker().fetched(what, std::move(body), options_.clock());
        fetches_.add(gate_->checker().take_fetches(), {});
        orders = fetches_.take_ready();
        ready = waiting_.take(what);
    }
    fetch(std::move(orders));
    for (const auto& retry : ready) retry();
}

// Logs at most once per key_retry_time, because every request would log the same.
void SharedTokenGate::warn(const std::string& why) {
    {
        const std::lock_guard lock(mutex_);
        const TimePoint now = options_.clock().steady;
        if (warned_ && now - *warned_ < gate_->limits().key_retry_time) return;
        warned_ = now;
    }
    options_.note(LogLevel::warning, "refusing requests, as their tokens cannot be checked: " + why);
}

}  // namespace tenon
