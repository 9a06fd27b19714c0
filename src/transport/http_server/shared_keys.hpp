// The keys of a node that shares a store: the ring in the store, read now and then, and replaced when it is time.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/log.hpp>
#include <tenon/state_seal.hpp>
#include <tenon/store.hpp>

#include "base/cursor.hpp"
#include "jose/key_ring.hpp"

namespace tenon {

/// The key ring of one node. Thread-safe. Holds no lock while it calls the store or a callback. Times are those of the
/// store, which every reading brings along: the clocks of the nodes do not matter.
class SharedKeys : public std::enable_shared_from_this<SharedKeys> {
 public:
    static constexpr std::chrono::seconds read_again{1};  ///< after a reading that failed, or that found no new key
    static constexpr std::size_t max_waiting = 256;       ///< requests that wait for a reading
    /// Added to the expiry of states: the clocks of two nodes may differ so much.
    static constexpr std::chrono::minutes clock_skew{1};

    struct Options {
        std::shared_ptr<Store> store = {};
        jose::RingTimes times;
        std::function<TimePoint()> clock = [] { return Clock::now(); };
        LogNote note = [](LogLevel, std::string_view) {};
        std::string name = "key_ring";  ///< of the value in the store
    };
    explicit SharedKeys(Options options);

    /// Gets the error of a reading; nullopt: it succeeded.
    using Done = std::function<void(const std::optional<Error>&)>;
    /// Reads the ring, creates a missing one, and adds a key when it is due. Callers at the same time share one
    /// reading. Until the first success there are no keys, and nothing may be sealed or opened.
    void read(Done done);
    /// Reads the ring when it is time. Call it regularly, from one thread.
    void tick();
    /// Lets go of the store. The keys stay valid.
    void leave();

    /// Returns whether a request state names a key that this node does not know, but may find in the store.
    bool should_read_for(std::string_view state) const;
    /// Reads the ring for a request. Above max_waiting, `done` gets store_unavailable at once.
    void read_for_request(Done done);

    /// Returns the seal of request states. It keeps this object.
    std::shared_ptr<const StateSeal> seal();
    /// Returns the keys of cursors.
    std::shared_ptr<const base::CursorSeal::Keys> cursor_keys() const;
    /// Returns the keys of DPoP nonces, the current one first.
    std::vector<jose::SealKey> nonce_keys() const;

    Result<std::string> close(std::string_view state, std::string_view binding, WallTime expires) const;
    Result<std::string> open(std::string_view sealed, std::string_view binding, WallTime now) const;

 private:
    static constexpr int max_conflicts = 8;  // with other nodes that write the ring
    struct Read {                            // a ring, and the clock of the store when it was read
        jose::KeyRing ring;
        WallTime store_time;
        TimePoint at;
        jose::RingTime now(TimePoint now) const;  // by the clock of the store
    };
    using StorePtr = std::shared_ptr<Store>;
    void get(const StorePtr& store, WallTime time, int tries);
    void got(const StorePtr& store, const std::optional<std::string>& bytes, WallTime time, int tries);
    void write(const StorePtr& store, const jose::KeyRing& ring, std::optional<std::string> expected, WallTime time,
               int tries);
    void adopt(const jose::KeyRing& ring, WallTime time);
    void finish(const std::optional<Error>& error);
    std::optional<jose::RingKey> key_of(std::uint32_t id) const;
    std::vector<jose::RingKey> keys_in_order() const;  // under the lock
    void tell(const std::optional<Error>& error, bool failed_before) const;

    StorePtr store_;            // guarded by mutex_
    const Options options_;     // without the store
    mutable std::mutex mutex_;  // guards the members below
    std::optional<Read> read_;
    mutable std::shared_ptr<const base::CursorSeal::Keys> cursor_keys_;
    mutable std::uint32_t cursor_key_id_ = 0;  // the key that sealed when cursor_keys_ were made
    bool reading_ = false, failed_ = false;
    std::optional<TimePoint> tried_;
    std::vector<Done> waiting_;
};

}  // namespace tenon
