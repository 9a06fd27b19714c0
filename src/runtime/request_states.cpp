#include "runtime/request_states.hpp"

#include "base/base64.hpp"
#include "io/random.hpp"

namespace tenon {
namespace {

std::string new_handle() {
    const auto random = io::random_bytes<16>();
    return base::base64url_encode({reinterpret_cast<const char*>(random.data()), random.size()});
}

}  // namespace

RequestStates::RequestStates(const Limits& limits, std::shared_ptr<const StateSeal> seal,
                             std::function<WallTime()> clock)
    : lifetime_(limits.request_state_time),
      clock_(std::move(clock)),
      seal_(std::move(seal)),
      table_(limits, io::random_bytes<16>()) {}

void RequestStates::default_seal(const std::function<std::shared_ptr<const StateSeal>()>& make) {
    const std::lock_guard lock(mutex_);
    if (!seal_) seal_ = make();
}

Result<std::string> RequestStates::close(std::string state, std::string_view binding,
                                         const base::MemoryAccountPtr& account) {
    const WallTime now = clock_(), expires = later(now, lifetime_);
    std::unique_lock lock(mutex_);
    if (const auto seal = seal_) {
        lock.unlock();  // encryption takes time
        return seal->close(state, binding, expires);
    }
    std::string handle = new_handle();
    if (auto ok = table_.add(handle, {std::move(state), binding, account, expires}, now); !ok) return ok.error();
    return handle;
}

Result<std::string> RequestStates::open(std::string_view sealed, std::string_view binding) {
    const WallTime now = clock_();
    std::unique_lock lock(mutex_);
    auto kept = table_.find(sealed, binding, now);
    if (kept || !seal_) return kept;
    const auto seal = seal_;
    lock.unlock();
    return seal->open(sealed, binding, now);
}

}  // namespace tenon
