// The inside of Session: the engine behind a lock, and the hands that do what it says.
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

class Session::Impl : public std::enable_shared_from_this<Session::Impl> {
 public:
    /// Takes each core::Send, core::Finish and core::LetPoll under the session's lock, in order: it must not call the
    /// session.
    using Deliver = std::function<void(core::Action&&)>;
    /// Without `deliver` the output is for take_output(). Without an account it gets one of its own.
    Impl(std::shared_ptr<Server::Impl> server, SessionOptions options, Deliver deliver = {},
         base::MemoryAccountPtr account = {});

    /// Mostly one: to run a handler.
    using ActionList = boost::container::small_vector<core::Action, 1>;

    /// Gives the engine something, then does what it wants: messages are queued under the lock, in order; everything
    /// that runs user code happens after it.
    template <class F>
    void with_engine(F&& f) {
        ActionList rest;
        bool output = false;
        {
            const std::lock_guard lock(mutex_);
            f(engine_);
            output = collect(rest);
        }
        perform(rest);
        if (output) wake();
    }

    /// The server tells it about changes, until it leaves.
    void join() { server_->join(shared_from_this()); }
    void leave() { server_->leave(this); }

    /// From here on the owner's functions are not called: it may go.
    void let_go();

    void feed(std::string_view bytes);
    void end_of_input();
    std::string take_output();
    std::size_t queued_output() const;
    std::optional<TimePoint> next_deadline() const;
    bool idle() const;

    void end_tasks();
    Server::Impl& server() const { return *server_; }
    /// Whose end is the end of its tasks; empty when they go on.
    std::string_view task_session() const { return options_.keep_tasks ? std::string_view() : name_; }

    TimePoint now() const { return options_.clock(); }
    /// Waits while too much output is queued, so that handlers cannot outrun their reader. Not on inline handlers.
    void wait_for_room(base::LateStop& stop);
    /// Whether the calling thread runs a handler that must not wait.
    static bool must_not_wait();

 private:
    bool collect(ActionList& rest);
    bool has_room() const;
    void check_partial_line();
    void perform(ActionList& actions);
    void run(core::Run run, std::shared_ptr<LiveCall> live);
    void execute(const std::shared_ptr<LiveCall>& live, core::Job& job);
    void start(core::RunTask task);
    void tell(const std::function<void()>& user) const;
    void wake();

    std::shared_ptr<Server::Impl> server_;
    SessionOptions options_;
    Deliver deliver_;
    const std::string name_;    // no other session has it, and no client can say it: tasks belong to it
    mutable std::mutex mutex_;  // guards what follows, but for the framer
    std::condition_variable room_;
    core::ServerEngine engine_;
    std::string output_;
    base::MemoryCharge output_charge_;
    mutable std::optional<TimePoint> told_deadline_;  // what the owner knows: it read it, or was woken for it

    std::mutex wake_mutex_;  // held while the owner is woken, so that let_go() waits for the end of that
    bool owned_ = true;

    std::mutex feed_mutex_;  // guards the framer
    framing::LineFramer framer_;
    base::MemoryCharge line_charge_;
};

}  // namespace tenon
