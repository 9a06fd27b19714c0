// The memory budget of a server: what each peer may hold, and which peer is refused first when memory runs short.
//
//     MemoryBudget    the bytes of one server
//     MemoryAccount   what one peer holds of them
//     MemoryCharge    what one object of that peer holds; released with the object
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tenon::base {

/// The outcome of asking for memory.
enum class MemoryDecision : std::uint8_t {
    granted,
    over_share,   ///< the account would hold more than its share
    over_budget,  ///< the budget is short, and this account would hold more than it leaves free for others
};

/// Counts the bytes that all peers of a server hold. Thread-safe, without locks.
class MemoryBudget {
 public:
    /// `share`: the most that one of several peers may hold.
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
/// An account may hold its share, and no more than it leaves free. So a large account is refused before a small one,
/// however many accounts there are, and an account that holds little finds room as long as there is some.
///
/// Thread-safe, without locks.
class MemoryAccount {
 public:
    enum class Kind : std::uint8_t {
        one_of_many,  ///< shares the budget with other peers
        the_only_one  ///< may use the whole budget: there are no others to leave room for
    };
    explicit MemoryAccount(std::shared_ptr<MemoryBudget> budget, Kind kind = Kind::one_of_many)
        : budget_(std::move(budget)), kind_(kind) {}
    MemoryAccount(const MemoryAccount&) = delete;
    MemoryAccount& operator=(const MemoryAccount&) = delete;

    std::size_t used() const { return used_.load(std::memory_order_relaxed); }
    std::size_t share() const { return kind_ == Kind::one_of_many ? budget_->share() : budget_->total(); }
    const MemoryBudget& budget() const { return *budget_; }

 private:
    friend class MemoryCharge;

    MemoryDecision take(std::size_t bytes);
    void give_back(std::size_t bytes);
    /// Takes from the budget for an account that would hold `held` bytes after that.
    bool take_from_budget(std::size_t bytes, std::size_t held);

    const std::shared_ptr<MemoryBudget> budget_;
    const Kind kind_;
    std::atomic<std::size_t> used_{0};
};
using MemoryAccountPtr = std::shared_ptr<MemoryAccount>;

/// What one object holds of an account; given back with the object. Without an account everything is granted and
/// nothing is counted. Not thread-safe.
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

    /// Changes the charge to `bytes`. A refusal changes nothing; less than before is never refused.
    MemoryDecision resize(std::size_t bytes);
    /// Makes the charge at least `bytes`. Goes up in steps, so that most calls cost nothing.
    MemoryDecision cover(std::size_t bytes) {
        constexpr std::size_t step = 16 * 1024;
        return bytes <= bytes_ ? MemoryDecision::granted : resize((bytes + step - 1) / step * step);
    }
    /// Gives back what is beyond `bytes`.
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
