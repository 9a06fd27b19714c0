#include "core/server/session_state.hpp"

namespace tenon::core {

void apply(const StateChange& change, SessionState& state) {
    switch (change.kind) {
        case StateChange::Kind::initialized: state.initialized = true; return;
        case StateChange::Kind::log_level:
            if (const auto level = log_level(change.value)) state.log_level = *level;
            return;
        case StateChange::Kind::subscribe: state.subscriptions.insert(change.value); return;
        case StateChange::Kind::unsubscribe: state.subscriptions.erase(change.value); return;
    }
}

}  // namespace tenon::core
