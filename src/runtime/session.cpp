#include <tenon/session.hpp>

#include <atomic>

#include "runtime/live_call.hpp"
#include "runtime/middleware_chain.hpp"
#include "runtime/session_impl.hpp"

namespace tenon {
namespace {

thread_local int must_not_wait_depth = 0;
constexpr std::size_t kept_charge = 64 * 1024;  // kept for a buffer that will be used again

// Returns a name that is unique across processes, since processes may share a task store.
std::string new_name() {
    static const std::string process = "session " + Tasks::new_id() + "-";
    static std::atomic<std::uint64_t> count{0};
    return process + std::to_string(count.fetch_add(1, std::memory_order_relaxed));
}

base::MemoryAccountPtr new_account(const Server::Impl& server, const SessionOptions& options) {
    using Peers = base::MemoryAccount::Kind;
    return std::make_shared<base::MemoryAccount>(server.budget(),
                                                 options.only_peer ? Peers::the_only_one : Peers::one_of_many);
}

// A session that only lasts for one request is not known to handlers.
std::shared_ptr<const Caller> new_caller(const SessionOptions& options, const std::string& name) {
    auto caller = std::make_shared<Caller>(options.caller);
    caller->principal = options.owner;
    if (!options.keep_tasks && caller->session_id.empty()) caller->session_id = name;
    return caller;
}

bool is_for_the_wire(const core::Action& action) {
    return std::holds_alternative<core::Send>(action) || std::holds_alternative<core::Finish>(action) ||
           std::holds_alternative<core::LetPoll>(action);
}

}  // namespace

Session::Impl::Impl(std::shared_ptr<Server::Impl> server, SessionOptions options, SessionOutlet outlet,
                    base::MemoryAccountPtr account)
    : server_(std::move(server)),
      options_(std::move(options)),
      outlet_(std::move(outlet)),
      name_(new_name()),
      engine_(server_->settings(), {options_.owner, name_, account ? account : new_account(*server_, options_),
                                    new_caller(options_, name_)}),
      output_charge_(engine_.account()),
      framer_(server_->settings()->limits.max_message_bytes),
      line_charge_(engine_.account()) {}

bool Session::Impl::must_not_wait() { return must_not_wait_depth > 0; }
Session::Impl::MustNotWait::MustNotWait() { ++must_not_wait_depth; }
Session::Impl::MustNotWait::~MustNotWait() { --must_not_wait_depth; }

bool Session::Impl::collect(ActionList& rest) {
    bool output = false;
    engine_.take_actions([&](core::Action& action) {
        if (outlet_.deliver && is_for_the_wire(action)) {
            outlet_.deliver(std::move(action));
        } else if (auto* send = std::get_if<core::Send>(&action)) {
            send->message.json += '\n';
            if (output_.empty()) {
                output_ = std::move(send->message.json);
            } else {
                output_ += send->message.json;
            }
            output = true;
        } else {
            rest.push_back(std::move(action));
        }
    });
    if (output) output_charge_.cover(output_.size());  // after a refusal handlers wait: see has_room()
    const auto deadline = engine_.next_deadline();
    const bool earlier = deadline && (!told_deadline_ || *deadline < *told_deadline_);
    if (earlier) told_deadline_ = deadline;
    return output || earlier;
}

void Session::Impl::perform(ActionList& actions, const std::shared_ptr<LiveCall>& live) {
    for (core::Action& action : actions) {
        if (auto* to_run = std::get_if<core::Run>(&action)) {
            auto of_call = live_call(to_run->call, live);
            run(std::move(*to_run), std::move(of_call));
        } else if (auto* task = std::get_if<core::RunTask>(&action)) {
            const auto of_call = live_call(task->run.call, live);
            start(std::move(task->run), of_call);
        } else if (auto* intercepted = std::get_if<core::Intercept>(&action)) {
            intercept(std::move(*intercepted));
        } else if (auto* conclude = std::get_if<core::Conclude>(&action)) {
            std::move(conclude->reply).send(std::move(conclude->outcome));
        } else if (auto* update = std::get_if<core::CheckUpdate>(&action)) {
            check_update(*update);
        } else if (auto* stop = std::get_if<core::Stop>(&action)) {
            stop->call->stop.request_stop();
        } else if (auto* deliver = std::get_if<core::Deliver>(&action)) {
            tell([deliver] { std::move(deliver->reply).send(std::move(deliver->answer)); });
        } else if (auto* notify = std::get_if<core::Notify>(&action)) {
            tell(notify->function);
        } else if (auto* note = std::get_if<core::Note>(&action)) {
            server_->note(note->level, note->text);
        }
    }
}

// Returns `live` if it belongs to this call: middleware and the handler share it.
std::shared_ptr<LiveCall> Session::Impl::live_call(const core::CallPtr& call, const std::shared_ptr<LiveCall>& live) {
    return live && live->call() == call ? live : std::make_shared<LiveCall>(shared_from_this(), call);
}

void Session::Impl::start(core::Run task, const std::shared_ptr<LiveCall>& live) {
    if (auto ok = live->begin_task(); !ok) {
        if (task.reply) return std::move(task.reply).send(ok.error());
        return live->answered(ok.error());
    }
    run(std::move(task), live);
}

void Session::Impl::end_tasks() {
    if (options_.keep_tasks) return;
    server_->tasks().visit([&](core::TaskBoard& board, WallTime now) { board.end_session(name_, now); });
}

void Session::Impl::run(core::Run to_run, std::shared_ptr<LiveCall> live) {
    if (to_run.placement != Placement::worker || !options_.post) {
        const MustNotWait inline_section;
        return execute(live, to_run);
    }
    if (to_run.reply && !must_not_wait()) return execute(live, to_run);  // its middleware runs on a worker already
    try {
        post(std::move(to_run), live);
    } catch (const Exception& refused) {  // by a limit of the transport; the message says what to do
        live->answered(refused.error());
    } catch (...) {
        const Error why{code::internal_error,
                        "Internal error: the handler could not be started: " + detail::current_error().message};
        live->answered(why);
    }
}

void Session::Impl::post(core::Run to_run, const std::shared_ptr<LiveCall>& live) {
    if (!to_run.reply)
        return options_.post([live, job = std::move(to_run.job)]() mutable {
            core::Run run{.call = live->call(), .job = std::move(job)};
            live->session().execute(live, run);
        });
    const auto shared = std::make_shared<core::Run>(std::move(to_run));  // a std::function must be copyable
    options_.post([live, shared] { live->session().execute(live, *shared); });
}

void Session::Impl::execute(const std::shared_ptr<LiveCall>& live, core::Run& to_run) {
    const core::CallPtr& call = live->call();
    if (!live->is_task() && !outlet_.deliver)
        wait_for_room(call);                  // its answer would only add to the output that is not read
    if (call->stop.stop_requested()) return;  // it was cancelled, or answered with an error, before it could start
    auto reply = to_run.reply ? std::move(to_run.reply)
                              : make_reply<core::HandlerResult>([live](Result<core::HandlerResult>&& outcome) {
                                    live->answered(std::move(outcome));
                                });
    try {
        Context context(live);
        to_run.job(context, std::move(reply));
    } catch (...) {
        // The exception destroyed the reply, which has sent an error. This is for the log.
        server_->note(LogLevel::error, "a handler threw an exception: " + detail::current_error().message);
    }
}

void Session::Impl::tell(const std::function<void()>& user) const {
    try {
        user();
    } catch (...) {
        server_->note(LogLevel::error, "a callback threw an exception: " + detail::current_error().message);
    }
}

void Session::Impl::wake() {
    if (!options_.wake) return;
    const std::lock_guard lock(wake_mutex_);
    if (owned_) options_.wake();
}

void Session::Impl::let_go() {
    const std::lock_guard lock(wake_mutex_);
    owned_ = false;
}

void Session::Impl::feed(std::string_view bytes) {
    struct Sink {
        Impl& session;
        void line(std::string_view text) {
            const TimePoint now = session.now();
            session.with_engine([&](core::ServerEngine& engine) { engine.receive(text, now); });
        }
        void too_long(std::size_t) {
            session.with_engine([](core::ServerEngine& engine) { engine.receive_too_long(); });
        }
    };
    const std::lock_guard lock(feed_mutex_);
    framer_.feed(bytes, Sink{*this});
    check_partial_line();
}

// Charges the memory of an unfinished line, which may be as long as the longest message.
void Session::Impl::check_partial_line() {
    if (framer_.buffered() == 0) return line_charge_.keep_at_most(kept_charge);
    const auto verdict = line_charge_.cover(framer_.buffered());
    if (verdict == base::MemoryDecision::granted) return;
    framer_.discard();
    line_charge_.release();
    with_engine([&](core::ServerEngine& engine) { engine.refuse_memory(verdict); });
}

void Session::Impl::end_of_input() {
    const std::lock_guard lock(feed_mutex_);
    if (framer_.end() == framing::LineFramer::End::cut)
        server_->note(LogLevel::warning, "the input ended in the middle of a message, which is not executed");
    with_engine([](core::ServerEngine& engine) { engine.end_of_input(); });
}

std::string Session::Impl::take_output() {
    const std::lock_guard lock(mutex_);
    room_.notify_all();
    output_charge_.keep_at_most(kept_charge);
    return std::exchange(output_, {});
}

bool Session::Impl::has_room() const {
    return output_.size() <= server_->settings()->limits.max_queued_output_bytes &&
           output_.size() <= output_charge_.bytes();
}

std::size_t Session::Impl::queued_output() const {
    const std::lock_guard lock(mutex_);
    return output_.size();
}

std::optional<TimePoint> Session::Impl::next_deadline() const {
    const auto tasks = server_->tasks().time_left();
    const std::lock_guard lock(mutex_);
    told_deadline_ = engine_.next_deadline();
    if (tasks) {
        const TimePoint when = later(now(), *tasks);
        if (!told_deadline_ || when < *told_deadline_) told_deadline_ = when;
    }
    return told_deadline_;
}

bool Session::Impl::idle() const {
    const std::lock_guard lock(mutex_);
    return engine_.idle();
}

// Back pressure: waits while too much output for this call is queued.
void Session::Impl::wait_for_room(const core::CallPtr& call) {
    if (must_not_wait()) return;
    if (!outlet_.deliver) return wait_for_taker(call->stop);
    if (outlet_.wait_for_reader) outlet_.wait_for_reader(call->reply_to, call->stop);
}

void Session::Impl::wait_for_taker(base::LateStop& stop) {
    std::unique_lock lock(mutex_);
    if (has_room()) return;
    lock.unlock();
    const std::stop_callback when_stopped(stop.get_token(), [this] {
        const std::lock_guard relock(mutex_);
        room_.notify_all();
    });
    lock.lock();
    room_.wait(lock, [&] { return has_room() || stop.stop_requested(); });
    lock.unlock();  // the stop callback may be waiting for the lock
}

Session::Session(Server& server, SessionOptions options)
    : impl_(std::make_shared<Impl>(server.impl(), std::move(options))) {
    server.impl()->check_extensions();
    impl_->join();
}

Session::~Session() {
    shut_down("the session was closed");
    impl_->leave();
    impl_->let_go();  // a handler that still runs keeps the session alive, but not its owner
}

void Session::receive(std::string_view message) {
    const TimePoint now = impl_->now();
    impl_->with_engine([&](core::ServerEngine& engine) { engine.receive(message, now); });
}

void Session::feed(std::string_view bytes) { impl_->feed(bytes); }
void Session::end_of_input() { impl_->end_of_input(); }
std::string Session::take_output() { return impl_->take_output(); }
std::size_t Session::queued_output() const { return impl_->queued_output(); }
std::optional<TimePoint> Session::next_deadline() const { return impl_->next_deadline(); }
bool Session::idle() const { return impl_->idle(); }

void Session::tick() {
    const TimePoint now = impl_->now();
    impl_->with_engine([&](core::ServerEngine& engine) { engine.tick(now); });
    impl_->server().tasks().visit([](core::TaskBoard& board, WallTime when) { board.sweep(when); });
}

void Session::shut_down(std::string_view why) {
    impl_->with_engine([&](core::ServerEngine& engine) { engine.shut_down(why); });
    impl_->end_tasks();
}

}  // namespace tenon
