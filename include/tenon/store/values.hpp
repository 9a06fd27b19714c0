// Small shared values in a store: keys, counters, marks and leases. See store.hpp for what holds for all operations.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <tenon/reply.hpp>
#include <tenon/store/tasks.hpp>

#pragma GCC visibility push(default)

namespace tenon::store {

/// A lease of anything, such as a node or a running request.
struct Lease {
    std::string holder = {};
    Token token = 0;
    std::chrono::milliseconds left{};  ///< by the clock of the store; 0: it has run out
};

/// Values by key, for the key ring, rate limits, replay protection and node leases. `ttl` counts from the operation, by
/// the clock of the store; milliseconds::max() never expires. Values, counters and leases have separate keys: one of
/// each may have the same name.
class Values {
 public:
    virtual ~Values() = default;

    /// Answers with the value, or with nullopt.
    virtual void get(std::string key, Reply<std::optional<std::string>> reply) = 0;
    virtual void set(std::string key, std::string value, std::chrono::milliseconds ttl, Reply<void> reply) = 0;
    /// Sets the value if the key has none, atomically. Answers whether it did. For replay protection: false is a
    /// replay.
    virtual void set_if_absent(std::string key, std::string value, std::chrono::milliseconds ttl,
                               Reply<bool> reply) = 0;
    /// Replaces the value if it is `expected`; nullopt: sets it if the key has no value. Answers whether it did.
    virtual void replace(std::string key, std::optional<std::string> expected, std::string value,
                         std::chrono::milliseconds ttl, Reply<bool> reply) = 0;
    /// Removes the value. Answers whether there was one.
    virtual void remove(std::string key, Reply<bool> reply) = 0;

    /// Adds to a counter, and answers with the sum. A counter starts at 0, and `ttl` counts from its first addition; so
    /// it counts a window of time. The sum stays at the limits of an int64 instead of overflowing.
    virtual void add(std::string key, std::int64_t amount, std::chrono::milliseconds ttl,
                     Reply<std::int64_t> reply) = 0;

    /// Takes a lease that is free or has run out. store_conflict: it is held, also if `holder` itself has it. Tokens of
    /// a key grow for one day after its last lease ran out, and longer if `ttl` is longer.
    virtual void acquire(std::string key, std::string holder, std::chrono::milliseconds ttl, Reply<Lease> reply) = 0;
    /// Lets the lease run out `ttl` from now; 0 releases it. Works after it ran out, until another holder acquires it.
    /// store_fenced: another holder did. store_not_found.
    virtual void extend(std::string key, Token token, std::chrono::milliseconds ttl, Reply<void> reply) = 0;
    /// Answers with the newest lease. Its time may be over. store_not_found: no lease of this key is known.
    virtual void look_up(std::string key, Reply<Lease> reply) = 0;
};

}  // namespace tenon::store

#pragma GCC visibility pop
