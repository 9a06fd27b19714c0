// The implementation of Session, and the session of each transport: feeds the engine, under a lock, and performs its
// actions.
#pragma once

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tenon/session.hpp>

#include "core/server/engine.hpp"
#include "framing/line_framer.hpp"
#include "runtime/server_impl.hpp"
#include "runtime/session_output.hpp"

namespace tenon {

class LiveCall;

class Session::Impl : public std::enable_shared_from_this<Session::Impl> {
 public:
    /// Does not keep the outlet alive, and drops messages when it is gone. Without an outlet, output() has the
    /// messages. Without an account, the session makes its own. The name owns the tasks of an anonymous session;
    /// without one, the session makes a name that is unique.
    Impl(std::shared_ptr<Server::Impl> server, SessionOptions options, std::shared_ptr<SessionOutlet> outlet = {},
         base::MemoryAccountPtr account = {}, std::string name = {});

    /// Most messages cause one such action: to run a handler.
    using ActionList = boost::container::small_vector<core::Action, 1>;

    /// Calls `f` with the engine, then performs its actions. Messages are queued under the lock, in order. Everything
    /// that runs user code happens outside the lock.
    template <class F>
    void with_engine(F&& f) {
        ActionList rest;
        const bool output = locked(f, rest);
        perform(rest);
        if (output) wake();
    }

    /// Calls `f` with the engine, to look at it. Must not be called under the lock.
    template <class F>
    void look(F&& f) const {
        const std::lock_guard lock(mutex_);
        f(engine_);
    }

    /// Calls `f` with the engine like with_engine(), to make a notification of this call. Waits before it until it is
    /// the turn of this thread, and after it while the client is far behind, unless must_not_wait().
    template <class F>
    void notify(const core::CallPtr& call, F&& f) {
        ActionList rest;
        bool output = false;
        {
            const std::shared_ptr<std::mutex> peer = turn();
            const auto my_turn = peer ? std::unique_lock(*peer) : std::unique_lock<std::mutex>();
            output = locked(f, rest);
        }
        perform(rest);  // after the turn, because it may run user code
        if (output) wake();
        wait_for_reader(call);
    }

    /// Registers the session: the server notifies it of changes until leave().
    void join() { joined_.store(server_->join(shared_from_this())); }
    void leave() { server_->leave(joined_.exchange(0)); }

    // As in Session.
    void receive(std::string_view message);
    void feed(std::string_view bytes);
    void end_of_input();
    /// Null when the session has an outlet.
    SessionOutput* output() const { return output_.get(); }
    std::optional<TimePoint> next_deadline() const;
    void tick();
    bool idle() const;
    void shut_down(std::string_view why);

    /// Ends the session. Stops calling SessionOptions::wake: the owner may be destroyed after this.
    void close();
    void end_tasks();

    /// See SessionOutlet.
    void wait_before_call(const core::CallPtr& call) const;
    /// Runs the handler of a call once more. Never inside the caller of this function, if there is another thread.
    void run_again(const std::shared_ptr<LiveCall>& live, core::Run to_run);
    /// Makes the reply of a call's handler.
    static Reply<core::HandlerResult> reply_of(std::shared_ptr<LiveCall> live);

    /// Returns whether a message to the client was lost, for example because memory was short. The transport must then
    /// end the connection, so that no request waits for ever. Before that, the outlet is told.
    bool broken() const { return broken_.load(std::memory_order_relaxed); }
    /// Fails a call whose answer could not be sent. Does nothing when the answer is on its way.
    void answer_lost(const core::CallPtr& call) noexcept;
    /// Marks the session as broken, and tells the outlet and the owner.
    void break_off() noexcept;

    Server::Impl& server() const { return *server_; }
    /// Returns the session whose end cancels new tasks; empty when tasks outlive the session.
    std::string_view task_session() const { return options_.keep_tasks ? std::string_view() : name_; }

    TimePoint now() const { return options_.clock(); }
    std::string_view transport() const { return options_.transport; }
    /// Returns whether the calling thread must not wait: it runs an inline handler, or it serves connections.
    static bool must_not_wait();
    /// While one exists, the thread that made it must not wait.
    class MustNotWait {
     public:
        MustNotWait();
        ~MustNotWait();
        MustNotWait(const MustNotWait&) = delete;
        MustNotWait& operator=(const MustNotWait&) = delete;
    };

 private:
    template <class F>
    bool locked(F&& f, ActionList& rest) {
        try {
            const std::lock_guard lock(mutex_);
            f(engine_);
            return collect(rest);
        } catch (...) {
            after_fault();
            throw;
        }
    }
    bool collect(ActionList& rest);
    void wait_for_reader(const core::CallPtr& call) const;
    std::shared_ptr<std::mutex> turn() const;
    void check_partial_line();
    /// `live` is the call whose middleware caused the actions, if any.
    void perform(ActionList& actions, const std::shared_ptr<LiveCall>& live = nullptr);
    void perform(core::Action& action, const std::shared_ptr<LiveCall>& live);
    std::shared_ptr<LiveCall> live_call(core::CallPtr& call, const std::shared_ptr<LiveCall>& live);
    void start(const std::shared_ptr<LiveCall>& live, core::Run to_run);
    void start_task(const std::shared_ptr<LiveCall>& live, core::Run to_run);
    void start_shared_task(const std::shared_ptr<LiveCall>& live, core::Run to_run);
    void start_restartable(const std::shared_ptr<LiveCall>& live, core::Run to_run);
    static Reply<void> starting(std::shared_ptr<LiveCall> live, core::Run to_run);
    void task_refused(const LiveCall& live, Reply<core::HandlerResult> reply, const Error& error);
    void load_tasks(const core::LoadTasks& load);
    void answered(const LiveCall& live, Result<core::HandlerResult>&& outcome);

    // session_faults.cpp
    class CallReply;
    void after_fault() noexcept;
    void after_failed_action(core::Action& action) noexcept;
    void could_not_start(const LiveCall& live) noexcept;
    void cannot_receive(std::string_view message) noexcept;

    // intercepted_call.cpp
    void intercept(core::Intercept intercepted);
    void proceed(const std::shared_ptr<LiveCall>& live, const core::NewCall& call, Reply<core::HandlerResult> reply,
                 std::set<std::string> hidden);
    void check_update(const core::CheckUpdate& update);
    void check_list_change(const core::CheckListChange& check);

    void tell(const std::function<void()>& user) const;
    void tell_of(const core::Note& note) const;
    void wake();

    std::shared_ptr<Server::Impl> server_;
    SessionOptions options_;
    const Wire wire_;           // off, if the transport itself shows messages to the taps
    const std::string name_;    // unique, and not known to clients; owns the tasks of the session
    mutable std::mutex mutex_;  // guards the members below, up to told_deadline_
    core::ServerEngine engine_;
    mutable std::optional<TimePoint> told_deadline_;  // the owner has read it, or was woken for it

    const std::shared_ptr<SessionOutput> output_;  // the outlet of a session that was made without one
    const std::weak_ptr<SessionOutlet> outlet_;

    std::atomic<bool> broken_{false};
    std::atomic<std::uint64_t> joined_{0};  // the number from Server::Impl::join(); 0: not joined

    std::mutex wake_mutex_;  // held during wake(), so that close() waits for it
    bool owned_ = true;

    std::mutex feed_mutex_;  // guards the members below
    framing::LineFramer framer_;
    base::MemoryCharge line_charge_;
};

}  // namespace tenon
