// Shares the facts about a caller between the requests of one peer. Scopes and claims are copied only when they change.
#pragma once

#include <memory>
#include <mutex>

#include <tenon/caller.hpp>

namespace tenon {

/// The caller of a peer's last request. Thread-safe.
class LastCaller {
 public:
    using ClaimsPtr = std::shared_ptr<const json::object>;

    /// Returns the last caller if it had these claims, of the same verified token, and `fits` accepts it. Otherwise
    /// null.
    template <class Fits>
    std::shared_ptr<const Caller> find(const ClaimsPtr& claims, Fits fits) const {
        std::shared_ptr<const Caller> last;
        {
            const std::lock_guard lock(mutex_);
            if (claims == claims_) last = caller_;
        }
        return last && fits(*last) ? last : nullptr;
    }
    void keep(std::shared_ptr<const Caller> caller, ClaimsPtr claims) {
        const std::lock_guard lock(mutex_);
        caller_.swap(caller);  // the old ones are released after the lock
        claims_.swap(claims);
    }

 private:
    mutable std::mutex mutex_;  // guards the members below
    std::shared_ptr<const Caller> caller_;
    ClaimsPtr claims_;
};

/// Returns the caller with this session. Copies it only if its request named another one: the first request of a
/// session has no id yet, and a request without a session (2026-07-28) may name any.
inline std::shared_ptr<const Caller> with_session_id(const std::shared_ptr<const Caller>& who, const std::string& id) {
    if (!who || who->session_id == id) return who;
    Caller out = *who;
    out.session_id = id;
    return std::make_shared<const Caller>(std::move(out));
}

}  // namespace tenon
