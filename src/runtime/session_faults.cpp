// What a session does after an exception, for example because memory is short. Every request gets its response, or its
// connection is closed: a client must not wait for ever.
#include "runtime/live_call.hpp"
#include "runtime/session_impl.hpp"

namespace tenon {

namespace {

// Short enough to need no memory.
Error no_memory() noexcept { return {code::internal_error, "out of memory"}; }

}  // namespace

/// The reply of a call's handler. When its answer is lost, the call fails.
class Session::Impl::CallReply final : public Reply<core::HandlerResult>::Sink {
 public:
    explicit CallReply(std::shared_ptr<LiveCall> live) : live_(std::move(live)) {}
    void answer(Result<core::HandlerResult>&& outcome) override {
        live_->session().answered(*live_, std::move(outcome));
    }
    void lost() noexcept override { live_->session().answer_lost(live_->call()); }

 private:
    const std::shared_ptr<LiveCall> live_;
};

Reply<core::HandlerResult> Session::Impl::reply_of(std::shared_ptr<LiveCall> live) {
    return Reply<core::HandlerResult>(std::make_unique<CallReply>(std::move(live)));
}

void Session::Impl::could_not_start(const LiveCall& live) noexcept {
    try {
        try {
            throw;
        } catch (const Exception& refused) {  // by a limit of the transport; the message says what to do
            with_engine([&](core::ServerEngine&) { core::ServerEngine::not_started(live.call()); });
            answered(live, refused.error());
        } catch (...) {
            answered(live, Error{code::internal_error, "Internal error: the handler could not be started: " +
                                                           detail::current_error().message});
        }
    } catch (...) {
        answer_lost(live.call());
    }
}

// Answers the request in a message that could not be handled.
void Session::Impl::cannot_receive(std::string_view message) noexcept {
    if (broken()) return;
    try {
        bool done = false;
        with_engine([&](core::ServerEngine& engine) { done = engine.cannot_receive(message, no_memory()); });
        if (!done) break_off();
    } catch (...) {
        break_off();
    }
}

void Session::Impl::answer_lost(const core::CallPtr& call) noexcept {
    try {
        with_engine([&](core::ServerEngine& engine) { engine.fail_open(call, no_memory()); });
    } catch (...) {
        break_off();
    }
}

void Session::Impl::after_failed_action(core::Action& action) noexcept {
    auto* const run = std::get_if<core::Run>(&action);
    auto* const task = std::get_if<core::RunTask>(&action);
    const auto* const load = std::get_if<core::LoadTasks>(&action);
    const core::CallPtr call = run ? run->call : task ? task->run.call : load ? load->listener->call : nullptr;
    call ? answer_lost(call) : break_off();
}

// Called without the lock. Frees the actions that are left when the session is broken: they may contain replies, which
// take the lock when they are destroyed.
void Session::Impl::after_fault() noexcept {
    if (!broken()) return;
    std::vector<core::Action> dropped;
    {
        const std::lock_guard lock(mutex_);
        dropped = engine_.take_actions();
    }
    for (core::Action& action : dropped)
        if (auto* const stop = std::get_if<core::Stop>(&action); stop && stop->call) stop->call->stop.request_stop();
    break_off();
}

void Session::Impl::break_off() noexcept {
    broken_.store(true);
    if (const auto outlet = outlet_.lock()) outlet->break_off();
    try {
        wake();
    } catch (...) {  // the owner's function threw; it is not called again for this
    }
}

}  // namespace tenon
