#include "runtime/call_runner.hpp"

#include "runtime/live_call.hpp"

namespace tenon {
namespace {

// Runs the handler again when it was unwound to be replayed. Otherwise passes its answer on.
Reply<core::HandlerResult> replaying(std::shared_ptr<LiveCall> live, core::Job job, Reply<core::HandlerResult> reply) {
    const Rehearsal::Mark begin = live->rehearsal()->mark();
    const Placement placement = Session::Impl::must_not_wait() ? Placement::inline_ : Placement::worker;
    return make_reply<core::HandlerResult>([live = std::move(live), job = std::move(job), reply = std::move(reply),
                                            begin, placement](Result<core::HandlerResult>&& outcome) mutable {
        if (!live->rehearsal()->begin_again(begin)) {
            if (const auto difference = live->rehearsal()->end()) live->warn(*difference);
            return std::move(reply).send(std::move(outcome));
        }
        if (outcome || !detail::is_replayed(outcome.error()))
            live->warn("it answered although a question had ended the run. Never use catch (...) around a question");
        live->session().run_again(live, {live->call(), placement, std::move(job), std::move(reply)});
    });
}

}  // namespace

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
    if (live_->rehearsal() && !live_->is_task()) reply = replaying(live_, job_, std::move(reply));
    try {
        Context context(live_);
        job_(context, std::move(reply));
    } catch (...) {
        // The exception destroyed the reply, which has sent an error. This is for the log.
        session.server().note(LogLevel::error, "a handler threw an exception: " + detail::current_error().message);
    }
}

}  // namespace tenon
