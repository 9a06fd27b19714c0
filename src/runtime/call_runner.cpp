#include "runtime/call_runner.hpp"

#include "runtime/live_call.hpp"
#include "runtime/middleware_chain.hpp"

namespace tenon {

void CallRunner::operator()() {
    const Session::Impl& session = live_->session();
    const core::CallPtr& call = live_->call();
    if (!live_->is_task()) session.wait_before_call(call);
    if (call->stop.stop_requested()) return;  // it was cancelled, or answered with an error, before it could start
    auto reply = Session::Impl::reply_of(live_);
    try {
        Context context(live_);
        const Middlewares middlewares = session.server().middlewares();
        if (!middlewares || !call->for_users) {
            job_(context, std::move(reply));
        } else {
            pass(middlewares, std::move(context), call, std::move(job_), std::move(reply));
        }
    } catch (...) {
        // The exception destroyed the reply, which has sent an error. This is for the log.
        session.server().note(LogLevel::error, "a handler threw an exception: " + detail::current_error().message);
    }
}

Result<void> begin_as_task(const std::shared_ptr<LiveCall>& live, core::Job& job) {
    if (!live->session().server().middlewares() || !live->call()->for_users) return live->begin_task();
    job = [live, job = std::move(job)](Context& context, Reply<core::HandlerResult> reply) mutable {
        if (auto ok = live->begin_task(); !ok) return std::move(reply).send(ok.error());
        job(context, std::move(reply));
    };
    return {};
}

}  // namespace tenon
