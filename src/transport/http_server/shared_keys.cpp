#include "transport/http_server/shared_keys.hpp"

#include <algorithm>

#include "io/random.hpp"

namespace tenon {
namespace {

constexpr auto for_ever = std::chrono::milliseconds::max();

class RingSeal final : public StateSeal {
 public:
    explicit RingSeal(std::shared_ptr<const SharedKeys> keys) : keys_(std::move(keys)) {}
    Result<std::string> close(std::string_view state, std::string_view binding, WallTime expires) const override {
        return keys_->close(state, binding, expires);
    }
    Result<std::string> open(std::string_view sealed, std::string_view binding, WallTime now) const override {
        return keys_->open(sealed, binding, now);
    }

 private:
    const std::shared_ptr<const SharedKeys> keys_;
};

std::uint32_t new_id() {
    std::uint32_t id = 0;
    for (const std::uint8_t byte : io::random_bytes<4>()) id = id << 8 | byte;
    return id;
}

}  // namespace

SharedKeys::SharedKeys(Options options) : store_(std::move(options.store)), options_(std::move(options)) {}

jose::RingTime SharedKeys::Read::now(TimePoint now) const {
    return std::chrono::duration_cast<jose::RingTime>(store_time.time_since_epoch()) +
           std::chrono::duration_cast<jose::RingTime>(now - at);
}

// ---- reading and writing the ring

void SharedKeys::read(Done done) {
    StorePtr store;
    {
        const std::lock_guard lock(mutex_);
        if (done) waiting_.push_back(std::move(done));
        if (std::exchange(reading_, true)) return;
        tried_ = options_.clock();
        store = store_;
    }
    if (!store) return finish(store::unavailable("the node has left the store"));
    store->check(make_reply<StoreStatus>([self = shared_from_this(), store](const Result<StoreStatus>& status) {
        if (!status) return self->finish(status.error());
        self->get(store, status->time, max_conflicts);
    }));
}

void SharedKeys::get(const StorePtr& store, WallTime time, int tries) {
    auto take = [self = shared_from_this(), store, time, tries](const Result<std::optional<std::string>>& bytes) {
        bytes ? self->got(store, *bytes, time, tries) : self->finish(bytes.error());
    };
    store->values().get(options_.name, make_reply<std::optional<std::string>>(std::move(take)));
}

// A node that knows keys puts them back into a store that has lost them.
void SharedKeys::got(const StorePtr& store, const std::optional<std::string>& bytes, WallTime time, int tries) {
    jose::KeyRing ring;
    if (bytes) {
        auto decoded = jose::KeyRing::decode(*bytes);
        if (!decoded)
            return finish(Error{code::store_corrupt,
                                "the value `" + options_.name + "` of the store is not a key ring of tenon"});
        ring = *std::move(decoded);
        adopt(ring, time);
    } else {
        const std::lock_guard lock(mutex_);
        if (read_) ring = read_->ring;
    }
    const auto now = std::chrono::duration_cast<jose::RingTime>(time.time_since_epoch());
    const bool due = ring.rotation_due(now, options_.times);
    if (bytes && !due) return finish(std::nullopt);
    if (due) ring = ring.rotated(now, options_.times, new_id(), io::random_bytes<32>());
    write(store, ring, bytes, time, tries);
}

// Of several nodes that write at once, one succeeds. The others read what it has written.
void SharedKeys::write(const StorePtr& store, const jose::KeyRing& ring, std::optional<std::string> expected,
                       WallTime time, int tries) {
    auto written = [self = shared_from_this(), store, ring, time, tries](const Result<bool>& replaced) {
        if (!replaced) return self->finish(replaced.error());
        if (*replaced) return self->adopt(ring, time), self->finish(std::nullopt);
        if (tries <= 1) return self->finish(store::unavailable("other nodes change the key ring again and again"));
        self->get(store, time, tries - 1);
    };
    store->values().replace(options_.name, std::move(expected), ring.encode(), for_ever,
                            make_reply<bool>(std::move(written)));
}

void SharedKeys::adopt(const jose::KeyRing& ring, WallTime time) {
    const TimePoint now = options_.clock();
    const std::lock_guard lock(mutex_);
    read_ = Read{read_ ? ring.replacing(read_->ring) : ring, time, now};
    cursor_keys_.reset();
}

void SharedKeys::finish(const std::optional<Error>& error) {
    std::vector<Done> ready;
    bool failed_before = false;
    {
        const std::lock_guard lock(mutex_);
        reading_ = false;
        failed_before = std::exchange(failed_, error.has_value());
        std::swap(ready, waiting_);
    }
    tell(error, failed_before);
    for (const Done& done : ready) done(error);
}

// Logs only changes: a broken store would otherwise fill the log.
void SharedKeys::tell(const std::optional<Error>& error, bool failed_before) const {
    if (error && !failed_before)
        options_.note(store::is_corrupt(*error) ? LogLevel::error : LogLevel::warning,
                      "the key ring cannot be read, so this node goes on with the keys that it has: " + error->message);
    if (!error && failed_before) options_.note(LogLevel::notice, "the key ring can be read again");
}

void SharedKeys::tick() {
    {
        const TimePoint now = options_.clock();
        const std::lock_guard lock(mutex_);
        const Duration wait = failed_ ? Duration(read_again) : Duration(options_.times.refresh());
        if (!store_ || reading_ || (tried_ && now - *tried_ < wait)) return;
    }
    read({});
}

void SharedKeys::leave() {
    StorePtr store;
    const std::lock_guard lock(mutex_);
    std::swap(store, store_);
}

// ---- keys that this node does not know

// A client can name any key. So the store is asked once per second for all of them together.
bool SharedKeys::should_read_for(std::string_view state) const {
    const auto split = jose::split_key_id(state);
    if (!split || key_of(split->id)) return false;
    const TimePoint now = options_.clock();
    const std::lock_guard lock(mutex_);
    return store_ && (reading_ || failed_ || !tried_ || now - *tried_ >= read_again);
}

void SharedKeys::read_for_request(Done done) {
    const char* refused = nullptr;
    {
        const TimePoint now = options_.clock();
        const std::lock_guard lock(mutex_);
        if (failed_ && !reading_ && now - *tried_ < read_again) refused = "the key ring could not be read just now";
        if (waiting_.size() >= max_waiting) refused = "too many requests wait for the key ring";
        if (!refused) waiting_.push_back(std::move(done));
    }
    refused ? done(store::unavailable(refused)) : read({});
}

// ---- using the keys

std::optional<jose::RingKey> SharedKeys::key_of(std::uint32_t id) const {
    const std::lock_guard lock(mutex_);
    const jose::RingKey* key = read_ ? read_->ring.find(id) : nullptr;
    return key ? std::optional(*key) : std::nullopt;
}

// The key that seals comes first.
std::vector<jose::RingKey> SharedKeys::keys_in_order() const {
    if (!read_) return {};
    std::vector<jose::RingKey> out = read_->ring.all();
    const std::uint32_t sealing = read_->ring.sealing(read_->now(options_.clock())).id;
    std::ranges::stable_partition(out, [sealing](const jose::RingKey& key) { return key.id == sealing; });
    return out;
}

std::shared_ptr<const StateSeal> SharedKeys::seal() { return std::make_shared<RingSeal>(shared_from_this()); }

std::shared_ptr<const base::CursorSeal::Keys> SharedKeys::cursor_keys() const {
    const std::lock_guard lock(mutex_);
    const std::uint32_t sealing = read_ ? read_->ring.sealing(read_->now(options_.clock())).id : 0;
    if (cursor_keys_ && cursor_key_id_ == sealing) return cursor_keys_;
    base::CursorSeal::Keys keys;
    for (const jose::RingKey& key : keys_in_order()) keys.push_back(jose::cursor_key_of(key.secret));
    cursor_key_id_ = sealing;
    return cursor_keys_ = std::make_shared<const base::CursorSeal::Keys>(std::move(keys));
}

std::vector<jose::SealKey> SharedKeys::nonce_keys() const {
    const std::lock_guard lock(mutex_);
    std::vector<jose::SealKey> out;
    for (const jose::RingKey& key : keys_in_order()) out.push_back(jose::nonce_key_of(key.secret));
    return out;
}

Result<std::string> SharedKeys::close(std::string_view state, std::string_view binding, WallTime expires) const {
    std::optional<jose::RingKey> key;
    {
        const std::lock_guard lock(mutex_);
        if (read_) key = read_->ring.sealing(read_->now(options_.clock()));
    }
    if (!key) return store::unavailable("this node has no keys yet");
    const jose::Seal seal({jose::state_key_of(key->secret)});
    return jose::with_key_id(key->id, seal.close(state, binding, later(expires, clock_skew)));
}

Result<std::string> SharedKeys::open(std::string_view sealed, std::string_view binding, WallTime now) const {
    const auto split = jose::split_key_id(sealed);
    if (!split) return Error{code::invalid_params, "it was not sealed by these nodes"};
    const auto key = key_of(split->id);
    if (!key) return Error{code::invalid_params, "it was sealed with a key that this node does not know"};
    auto opened = jose::Seal({jose::state_key_of(key->secret)}).open(split->sealed, binding, now);
    if (opened.state) return *std::move(opened.state);
    return Error{code::invalid_params, opened.why};
}

}  // namespace tenon
