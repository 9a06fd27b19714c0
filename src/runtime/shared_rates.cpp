#include "runtime/shared_rates.hpp"

#include <charconv>

#include "base/base64.hpp"
#include "base/sha256.hpp"

namespace tenon {
namespace {

// All nodes must find the same name, so it has no secret. Principals do not appear in the store.
std::string store_key(std::string_view name) {
    const base::Sha256Digest digest = base::sha256(name);
    return "rate:" + base::base64url_encode({digest.data(), 24});
}

// A value that is not a number counts as a full bucket, and is replaced.
std::int64_t read_number(const std::optional<std::string>& text) {
    std::int64_t out = 0;
    if (!text) return 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), out);
    return error == std::errc() && end == text->data() + text->size() && out > 0 ? out : 0;
}

}  // namespace

SharedRates::SharedRates(Options options, base::MemoryCharge charge)
    : store_(std::move(options.store)), options_(std::move(options)), charge_(std::move(charge)) {}

Duration SharedRates::count(std::string_view what, std::string_view principal, const base::BucketPace& pace) {
    std::string name(what);
    name.append("\n").append(principal);
    const std::uint64_t hash = base::siphash(options_.key, name);
    const TimePoint now = options_.clock();
    StorePtr store;
    std::int64_t calls = 0;
    {
        const std::lock_guard lock(mutex_);
        const auto time = store_time(now);
        if (!store_ || !time) return Duration::zero();
        base::SharedBucket& bucket = use(hash).bucket;
        const Time wait = bucket.take(pace, *time);
        if (wait > Time::zero()) return std::chrono::ceil<Duration>(wait);
        if (!bucket.should_report(pace) || reports_ >= max_reports || (silent_until_ && now < *silent_until_))
            return Duration::zero();
        calls = bucket.begin_report(pace, *time);
        ++reports_;
        store = store_;
    }
    send(store, {hash, store_key(name), calls, pace});
    return Duration::zero();
}

// ---- the table

SharedRates::Entry& SharedRates::use(std::uint64_t hash) {
    if (const auto found = by_hash_.find(hash); found != by_hash_.end()) {
        entries_.splice(entries_.begin(), entries_, found->second);
        return entries_.front();
    }
    if (!has_room() && !entries_.empty()) {
        by_hash_.erase(entries_.back().hash);
        entries_.pop_back();
    }
    entries_.push_front({hash, {}});
    by_hash_.emplace(hash, entries_.begin());
    return entries_.front();
}

bool SharedRates::has_room() {
    const std::size_t next = entries_.size() + 1;
    return next <= options_.max_counted && charge_.cover(next * max_bytes_per_bucket) == base::MemoryDecision::granted;
}

// ---- reports

void SharedRates::send(const StorePtr& store, Report report) {
    auto take = [self = shared_from_this(), store, report](const Result<std::optional<std::string>>& stored) mutable {
        stored ? self->change(store, std::move(report), *stored) : self->finish(report, std::nullopt);
    };
    store->values().get(report.key, make_reply<std::optional<std::string>>(std::move(take)));
}

void SharedRates::change(const StorePtr& store, Report report, const std::optional<std::string>& stored) {
    std::optional<Time> now;
    {
        const std::lock_guard lock(mutex_);
        now = store_time(options_.clock());
    }
    const Time next = base::SharedBucket::charged(Time(read_number(stored)), report.calls, report.pace, *now);
    const auto full_in = std::chrono::ceil<std::chrono::milliseconds>(next - *now);
    auto written = [self = shared_from_this(), store, report, next](const Result<bool>& replaced) mutable {
        if (replaced && *replaced) return self->finish(report, next);
        if (!replaced || --report.tries == 0) return self->finish(report, std::nullopt);
        self->send(store, std::move(report));
    };
    store->values().replace(report.key, stored, std::to_string(next.count()), full_in + std::chrono::seconds(1),
                            make_reply<bool>(std::move(written)));
}

void SharedRates::finish(const Report& report, std::optional<Time> stored) {
    const TimePoint now = options_.clock();
    const std::lock_guard lock(mutex_);
    --reports_;
    if (!stored) silent_until_ = later(now, pause);
    const auto found = by_hash_.find(report.hash);
    if (found == by_hash_.end()) return;
    base::SharedBucket& bucket = found->second->bucket;
    stored ? bucket.reported(report.pace, *stored) : bucket.report_failed();
}

// ---- the clock of the store

std::optional<SharedRates::Time> SharedRates::store_time(TimePoint now) const {
    if (!clock_) return std::nullopt;
    return clock_->time + std::chrono::duration_cast<Time>(now - clock_->at);
}

void SharedRates::tick() {
    StorePtr store;
    {
        const TimePoint now = options_.clock();
        const std::lock_guard lock(mutex_);
        if (!store_ || (looked_ && now - *looked_ < (clock_ ? clock_interval : pause))) return;
        looked_ = now;
        store = store_;
    }
    store->check(make_reply<StoreStatus>([self = shared_from_this()](const Result<StoreStatus>& status) {
        if (!status) return;
        const TimePoint now = self->options_.clock();
        const std::lock_guard lock(self->mutex_);
        self->clock_ = StoreClock{std::chrono::duration_cast<Time>(status->time.time_since_epoch()), now};
    }));
}

void SharedRates::leave() {
    StorePtr store;
    const std::lock_guard lock(mutex_);
    std::swap(store, store_);
}

}  // namespace tenon
