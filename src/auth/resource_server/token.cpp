#include "auth/resource_server/token.hpp"

#include "jose/digest.hpp"

namespace tenon::auth {

PresentedToken::PresentedToken(std::string_view t) : text(t), hash(jose::sha256(t)) {}

TokenCheck TokenChecker::check(std::string_view token, const Now& now) {
    const PresentedToken presented(token);
    Step step = look(presented, now);
    while (const auto* work = std::get_if<Work>(&step)) step = work->run()(now);
    return without_work(std::move(step));
}

TokenCheck without_work(Step step) {
    return std::visit(
        [](auto& one) -> TokenCheck {
            if constexpr (std::is_same_v<std::decay_t<decltype(one)>, Work>) {
                return CannotCheck{"the check of the token did not finish"};
            } else {
                return std::move(one);
            }
        },
        step);
}

}  // namespace tenon::auth
