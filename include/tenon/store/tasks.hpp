// Tasks in a store, with leases. See store.hpp for what holds for all operations.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tenon/protocol/tasks.hpp>
#include <tenon/reply.hpp>

#pragma GCC visibility push(default)

namespace tenon::store {

/// Proves that its holder may change something. Each new lease of the same thing has a larger token. A write with an
/// older token ends with store_fenced, whatever the clocks of the nodes say.
using Token = std::uint64_t;

/// A task, and its lease. `task.order` was chosen by the store.
struct StoredTask {
    TaskRecord task;
    std::string holder = {};                 ///< the node that runs it, as it named itself
    Token token = 0;                         ///< of the newest lease
    std::chrono::milliseconds lease_left{};  ///< by the clock of the store; 0: the task may be taken over
};

/// Tasks by id. Only the holder of the lease changes a task. The store removes a task `task.ttl` after create(), by its
/// own clock. milliseconds::max() never expires.
class Tasks {
 public:
    virtual ~Tasks() = default;

    /// Adds a task that `holder` runs, with a lease. Chooses `order`. Answers with the stored task. store_conflict: the
    /// id exists.
    virtual void create(TaskRecord task, std::string holder, std::chrono::milliseconds lease,
                        Reply<StoredTask> reply) = 0;
    /// Compare the owner with the caller after each load. store_not_found, store_corrupt.
    virtual void load(std::string id, Reply<StoredTask> reply) = 0;
    /// Replaces the record, except its owner, order and ttl. Does not extend the lease, and works after it ran out,
    /// until another node takes the task over. store_fenced: another node did. store_not_found.
    virtual void update(TaskRecord task, Token token, Reply<void> reply) = 0;
    /// Lets the lease run out `lease` from now. store_fenced, store_not_found.
    virtual void extend(std::string id, Token token, std::chrono::milliseconds lease, Reply<void> reply) = 0;
    /// Gives the lease to `holder`, if it has run out, or has ended with extend(0). Answers with the task and the new
    /// token. store_conflict: the lease is still valid, also if `holder` itself has it. store_not_found, store_corrupt.
    virtual void take_over(std::string id, std::string holder, std::chrono::milliseconds lease,
                           Reply<StoredTask> reply) = 0;
    /// Removes a task, whatever its lease. Answers whether it existed.
    virtual void remove(std::string id, Reply<bool> reply) = 0;

    /// Answers with up to `max` tasks of an owner with an order above `after`, sorted by order. Corrupt tasks are left
    /// out. Continue with the order of the last one. StoreLimits::max_batch_events bounds `max`.
    virtual void list(std::string owner, std::uint64_t after, std::size_t max,
                      Reply<std::vector<StoredTask>> reply) = 0;
    /// Answers with the number of tasks of an owner.
    virtual void count(std::string owner, Reply<std::size_t> reply) = 0;
    /// Answers with the number of all tasks.
    virtual void size(Reply<std::size_t> reply) = 0;
    /// Answers with the ids of up to `max` tasks whose lease ran out, and that are not over. Their node died: take them
    /// over, and fail or resume them.
    virtual void orphans(std::size_t max, Reply<std::vector<std::string>> reply) = 0;
};

}  // namespace tenon::store

#pragma GCC visibility pop
