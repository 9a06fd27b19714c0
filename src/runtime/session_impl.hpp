// The implementation of Session: the engine behind a lock, and the code that performs its actions.
#pragma once

#include <boost/container/small_vector.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tenon/session.hpp>

#include "core/server/engine.hpp"
#include "framing/line_framer.hpp"
#include "runtime/server_impl.hpp"

namespace tenon {

class LiveCall;

/// Where the output of a session goes if it is not taken with take_output().
struct SessionOutlet {
    /// Gets each core::Send, core::Finish and core::LetPoll, in order. Called under the session's lock, so it must not
    /// call the session.
    std::function<void(core::Action&&)> deliver = {};
    /// Back pressure: waits while the client is far behind with reading the messages for this request, until `stop`.
    /// Called without a lock.
    std::function<void(core::ReplyTo, base::LateStop& stop)> wait_for_reader = {};
    /// Returns the lock of the peer, or null. Threads hold it while they make notifications, so one peer makes one at a
    /// time: handlers that do nothing but notify would otherwise take all processors from other peers.
    std::function<std::shared_ptr<std::mutex>()> turn = {};
};

class Session::Impl : public std::enable_shared_from_this<Session::Impl> {
 public:
    /// Without an outlet, take_output() returns the output. Without an account, the session makes its own.
    Impl(std::shared_ptr<Server::Impl> server, SessionOptions options, SessionOutlet outlet = {},
         base::MemoryAccountPtr account = {});

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

    /// Calls `f` with the engine like with_engine(), to make a notification of this call. Waits before it until it is
    /// the turn of this thread, and after it while the client is far behind, unless must_not_wait().
    template <class F>
    void notify(const core::CallPtr& call, F&& f) {
        ActionList rest;
        bool output = false;
        {
            const std::shared_ptr<std::mutex> turn = outlet_.turn && !must_not_wait() ? outlet_.turn() : nullptr;
            const auto my_turn = turn ? std::unique_lock(*turn) : std::unique_lock<std::mutex>();
            output = locked(f, rest);
        }
        perform(rest);  // after the turn, because it may run user code
        if (output) wake();
        wait_for_room(call);
    }

    /// Registers the session: the server notifies it of changes until leave().
    void join() { server_->join(shared_from_this()); }
    void leave() { server_->leave(this); }

    /// Stops calling SessionOptions::wake. The owner may be destroyed after this.
    void let_go();

    void feed(std::string_view bytes);
    void end_of_input();
    std::string take_output();
    std::size_t queued_output() const;
    std::optional<TimePoint> next_deadline() const;
    bool idle() const;

    void end_tasks();
    Server::Impl& server() const { return *server_; }
    /// Returns the session whose end cancels new tasks; empty when tasks outlive the session.
    std::string_view task_session() const { return options_.keep_tasks ? std::string_view() : name_; }

    TimePoint now() const { return options_.clock(); }
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
        const std::lock_guard lock(mutex_);
        f(engine_);
        return collect(rest);
    }
    bool collect(ActionList& rest);
    bool has_room() const;
    void wait_for_room(const core::CallPtr& call);
    void wait_for_taker(base::LateStop& stop);
    void check_partial_line();
    /// `live` is the call whose middleware caused the actions, if any.
    void perform(ActionList& actions, const std::shared_ptr<LiveCall>& live = nullptr);
    std::shared_ptr<LiveCall> live_call(const core::CallPtr& call, const std::shared_ptr<LiveCall>& live);
    void run(core::Run run, std::shared_ptr<LiveCall> live);
    void post(core::Run run, const std::shared_ptr<LiveCall>& live);
    void execute(const std::shared_ptr<LiveCall>& live, core::Run& run);
    void start(core::Run task, const std::shared_ptr<LiveCall>& live);

    // intercepted_call.cpp
    void intercept(core::Intercept intercepted);
    void proceed(const std::shared_ptr<LiveCall>& live, const core::NewCall& call, Reply<core::HandlerResult> reply,
                 std::set<std::string> hidden);
    void check_update(const core::CheckUpdate& update);

    void tell(const std::function<void()>& user) const;
    void wake();

    std::shared_ptr<Server::Impl> server_;
    SessionOptions options_;
    SessionOutlet outlet_;
    const std::string name_;    // unique, and not known to clients; owns the tasks of the session
    mutable std::mutex mutex_;  // guards the members below, up to told_deadline_
    std::condition_variable room_;
    core::ServerEngine engine_;
    std::string output_;
    base::MemoryCharge output_charge_;
    mutable std::optional<TimePoint> told_deadline_;  // the owner has read it, or was woken for it

    std::mutex wake_mutex_;  // held during wake(), so that let_go() waits for it
    bool owned_ = true;

    std::mutex feed_mutex_;  // guards the members below
    framing::LineFramer framer_;
    base::MemoryCharge line_charge_;
};

}  // namespace tenon
