// Records a call of a client for ClientOptions::on_call.
#pragma once

#include "core/client/action.hpp"
#include "json/members.hpp"
#include "protocol/methods.hpp"

namespace tenon {

/// One call that is recorded when it ends. Does nothing when `on_call` is empty. Not thread-safe.
class CallAudit {
 public:
    CallAudit(const std::function<void(const CallRecord&)>& on_call, const core::ClientCall& call) {
        if (!on_call || call.kind == core::ClientCall::Kind::connect) return;
        on_call_ = on_call;
        record_.method = method_of(call);
        const protocol::Method* row = protocol::find_method(record_.method);
        if (row && !row->target.empty()) record_.name = json::text_member(call.params, row->target);
        record_.began = std::chrono::system_clock::now();
        start_ = Clock::now();
    }

    /// Reports the outcome. Ignores an exception of the user's function, since the call itself has not failed.
    void end(const Result<json::value>& outcome) {
        if (!on_call_) return;
        record_.took = Clock::now() - start_;
        if (!outcome) record_.error = outcome.error().code;
        const json::object* o = outcome ? outcome->if_object() : nullptr;
        const json::value* failed = o ? o->if_contains("isError") : nullptr;
        record_.tool_failed = failed && failed->is_bool() && failed->get_bool();
        try {
            on_call_(record_);
        } catch (...) {  // an observer
        }
    }

 private:
    static std::string method_of(const core::ClientCall& call) {
        using Kind = core::ClientCall::Kind;
        switch (call.kind) {
            case Kind::ping: return "ping";
            case Kind::set_level: return "logging/setLevel";
            case Kind::subscribe: return "resources/subscribe";
            case Kind::unsubscribe: return "resources/unsubscribe";
            case Kind::follow: return "tasks/result";
            default: return call.method;
        }
    }

    std::function<void(const CallRecord&)> on_call_;
    CallRecord record_;
    TimePoint start_ = {};
};

}  // namespace tenon
