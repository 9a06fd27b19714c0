#include "base/memory_budget.hpp"

namespace tenon::base {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;  // the counts guard no other data

}  // namespace

MemoryDecision MemoryAccount::take(std::size_t bytes) {
    const std::size_t most = share();
    std::size_t before = used_.load(relaxed);
    do {
        if (bytes > most || before > most - bytes) return MemoryDecision::over_share;
    } while (!used_.compare_exchange_weak(before, before + bytes, relaxed));
    if (take_from_budget(bytes, before + bytes)) return MemoryDecision::granted;
    used_.fetch_sub(bytes, relaxed);
    return MemoryDecision::over_budget;
}

bool MemoryAccount::take_from_budget(std::size_t bytes, std::size_t held) {
    std::size_t before = budget_->used_.load(relaxed);
    do {
        const std::size_t free = budget_->total() - before;
        if (bytes > free) return false;
        if (kind_ == Kind::one_of_many && held > free - bytes) return false;
    } while (!budget_->used_.compare_exchange_weak(before, before + bytes, relaxed));
    return true;
}

void MemoryAccount::give_back(std::size_t bytes) {
    used_.fetch_sub(bytes, relaxed);
    budget_->used_.fetch_sub(bytes, relaxed);
}

MemoryDecision MemoryCharge::resize(std::size_t bytes) {
    if (!account_) return bytes_ = bytes, MemoryDecision::granted;
    if (bytes > bytes_) {
        const MemoryDecision verdict = account_->take(bytes - bytes_);
        if (verdict != MemoryDecision::granted) return verdict;
    } else if (bytes < bytes_) {
        account_->give_back(bytes_ - bytes);
    }
    bytes_ = bytes;
    return MemoryDecision::granted;
}

}  // namespace tenon::base
