// The memory budget of a server: how much each peer may hold, and which peer is refused first when memory runs short.
//
//     MemoryBudget    the bytes of one server
//     MemoryAccount   the bytes that one peer holds
//     MemoryCharge    the bytes that one object of a peer holds; released with the object
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/token_bucket.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

/// The result of a request for memory.
enum class MemoryDecision : std::uint8_t {
    granted,
    over_share,   ///< the account would hold more than its share
    over_budget,  ///< the account would hold more than it leaves free for other accounts
};

/// Counts the bytes that all peers of a server hold. Thread-safe, without locks.
class MemoryBudget {
 public:
    /// `share` is the most that one of several peers may hold.
    MemoryBudget(std::size_t total, std::size_t share) : total_(total), share_(share < total ? share : total) {}
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    std::size_t total() const { return total_; }
    std::size_t share() const { return share_; }
    std::size_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
    friend class MemoryAccount;

    const std::size_t total_, share_;
    std::atomic<std::size_t> used_{0};
};

/// Counts the bytes that one peer holds.
///
/// An account may hold at most its share, and at most as many bytes as it leaves free in the budget. So a large account
/// is refused before a small one, and a small account gets memory while there is some.
///
/// Thread-safe, without locks.
class MemoryAccount {
 public:
    enum class Kind : std::uint8_t {
        one_of_many,  ///< shares the budget with other peers
        the_only_one  ///< may use the whole budget, because there are no other peers
    };
    explicit MemoryAccount(std::shared_ptr<MemoryBudget> budget, Kind kind = Kind::one_of_many)
        : budget_(std::move(budget)), kind_(kind) {}
    MemoryAccount(const MemoryAccount&) = delete;
    MemoryAccount& operator=(const MemoryAccount&) = delete;

    std::size_t used() const { return used_.load(std::memory_order_relaxed); }
    std::size_t share() const { return kind_ == Kind::one_of_many ? budget_->share() : budget_->total(); }
    const MemoryBudget& budget() const { return *budget_; }

    TokenBucket calls;        ///< of a peer without a principal: see Limits::max_calls_per_second
    TokenBucket more_rounds;  ///< for calls that the client continues with its answers

 private:
    friend class MemoryCharge;

    MemoryDecision take(std::size_t bytes);
    void give_back(std::size_t bytes);
    /// Takes bytes from the budget. The account would hold `held` bytes after that.
    bool take_from_budget(std::size_t bytes, std::size_t held);

    const std::shared_ptr<MemoryBudget> budget_;
    const Kind kind_;
    std::atomic<std::size_t> used_{0};
};
using MemoryAccountPtr = std::shared_ptr<MemoryAccount>;

/// The bytes of an account that one object holds. Released by the destructor. Without an account everything is granted.
/// Not thread-safe.
class MemoryCharge {
 public:
    MemoryCharge() = default;
    explicit MemoryCharge(MemoryAccountPtr account) : account_(std::move(account)) {}
    MemoryCharge(MemoryCharge&& other) noexcept
        : account_(std::move(other.account_)), bytes_(std::exchange(other.bytes_, 0)) {}
    MemoryCharge& operator=(MemoryCharge&& other) noexcept {
        std::swap(account_, other.account_);
        std::swap(bytes_, other.bytes_);
        other.release();
        return *this;
    }
    ~MemoryCharge() { release(); }

    /// Changes the charge to `bytes`. A refusal changes nothing. A smaller charge is never refused.
    MemoryDecision resize(std::size_t bytes);
    /// Raises the charge to at least `bytes`. Rises in steps of 16 KiB, so most calls cost nothing.
    MemoryDecision cover(std::size_t bytes) {
        constexpr std::size_t step = 16 * 1024;
        return bytes <= bytes_ ? MemoryDecision::granted : resize((bytes + step - 1) / step * step);
    }
    /// Lowers the charge to at most `bytes`.
    void keep_at_most(std::size_t bytes) {
        if (bytes_ > bytes) resize(bytes);
    }
    void release() noexcept {
        if (bytes_ > 0 && account_) account_->give_back(bytes_);
        bytes_ = 0;
    }

    std::size_t bytes() const { return bytes_; }
    const MemoryAccountPtr& account() const { return account_; }

 private:
    MemoryAccountPtr account_;
    std::size_t bytes_ = 0;
};

}  // namespace tenon::base

#pragma GCC visibility pop
