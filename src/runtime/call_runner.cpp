#include "runtime/call_runner.hpp"

#include "runtime/live_call.hpp"

namespace tenon {

CallRunner::CallRunner(std::shared_ptr<LiveCall> live, core::Job job, Reply<core::HandlerResult> reply)
    : live_(std::move(live)),
      job_(std::move(job)),
      reply_(reply ? std::make_shared<Reply<core::HandlerResult>>(std::move(reply)) : nullptr) {}

void CallRunner::operator()() {
    try {
        run();
    } catch (...) {  // memory is short: the handler did not start, or a log line is missing
        live_->session().answer_lost(live_->call());
    }
}

void CallRunner::run() {
    const Session::Impl& session = live_->session();
    const core::CallPtr& call = live_->call();
    if (!live_->is_task()) session.wait_before_call(call);
    if (call->stop.stop_requested()) return;  // it was cancelled, or answered with an error, before it could start
    auto reply = reply_ ? std::move(*reply_) : Session::Impl::reply_of(live_);
    try {
        Context context(live_);
        job_(context, std::move(reply));
    } catch (...) {
        // The exception destroyed the reply, which has sent an error. This is for the log.
        session.server().note(LogLevel::error, "a handler threw an exception: " + detail::current_error().message);
    }
}

}  // namespace tenon
