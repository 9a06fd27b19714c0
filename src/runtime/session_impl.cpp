#include "runtime/session_impl.hpp"

#include <atomic>

#include "io/last_resort.hpp"
#include "runtime/call_runner.hpp"
#include "runtime/live_call.hpp"

namespace tenon {
namespace {

thread_local int must_not_wait_depth = 0;
constexpr std::size_t kept_line_charge = 64 * 1024;  // kept for a buffer that will be used again

// Returns a name that is unique across processes, since processes may share a store.
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

Session::Impl::Impl(std::shared_ptr<Server::Impl> server, SessionOptions options, std::shared_ptr<SessionOutlet> outlet,
                    base::MemoryAccountPtr account, std::string name)
    : server_(std::move(server)),
      options_(std::move(options)),
      wire_(outlet && outlet->shows_messages() ? nullptr : server_->tap(), WireMessage::Side::server),
      name_(name.empty() ? new_name() : std::move(name)),
      engine_(server_->settings(), {options_.owner, name_, account ? account : new_account(*server_, options_),
                                    new_caller(options_, name_)}),
      output_(outlet ? nullptr
                     : std::make_shared<SessionOutput>(engine_.account(),
                                                       server_->settings()->limits.max_queued_output_bytes)),
      outlet_(outlet ? std::move(outlet) : output_),
      framer_(server_->settings()->limits.max_message_bytes),
      line_charge_(engine_.account()) {}

bool Session::Impl::must_not_wait() { return must_not_wait_depth > 0; }
Session::Impl::MustNotWait::MustNotWait() { ++must_not_wait_depth; }
Session::Impl::MustNotWait::~MustNotWait() { --must_not_wait_depth; }

// ---- in

void Session::Impl::receive(std::string_view message) {
    const TimePoint when = now();
    wire_.received(message);
    try {
        with_engine([&](core::ServerEngine& engine) { engine.receive(message, when); });
    } catch (...) {
        cannot_receive(message);
    }
}

void Session::Impl::feed(std::string_view bytes) {
    const std::lock_guard lock(feed_mutex_);
    while (const auto line = framer_.next(bytes)) {
        if (line->too_long) {
            with_engine([](core::ServerEngine& engine) { engine.receive_too_long(); });
        } else {
            receive(line->text);
        }
    }
    check_partial_line();
}

// Charges the memory of an unfinished line, which may be as long as the longest message.
void Session::Impl::check_partial_line() {
    if (framer_.buffered() == 0) return line_charge_.keep_at_most(kept_line_charge);
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

// ---- the actions of the engine

// Passes messages on, and moves the other actions to `rest`. Returns whether the owner must be woken.
bool Session::Impl::collect(ActionList& rest) {
    bool output = false;
    try {
        engine_.take_actions([&](core::Action& action) {
            if (!is_for_the_wire(action)) {
                rest.push_back(std::move(action));
            } else if (const auto outlet = outlet_.lock()) {
                if (wire_)
                    if (const auto* send = std::get_if<core::Send>(&action)) wire_.sent(send->message.json);
                outlet->deliver(std::move(action));
                output = true;
            }
        });
    } catch (...) {
        broken_.store(true);  // an action is lost
        throw;
    }
    const auto deadline = engine_.next_deadline();
    const bool earlier = deadline && (!told_deadline_ || *deadline < *told_deadline_);
    if (earlier) told_deadline_ = deadline;
    return output || earlier;
}

void Session::Impl::perform(ActionList& actions, const std::shared_ptr<LiveCall>& live) {
    for (core::Action& action : actions) {
        try {
            perform(action, live);
        } catch (...) {
            after_failed_action(action);  // the other actions are for other calls
        }
    }
}

void Session::Impl::perform(core::Action& action, const std::shared_ptr<LiveCall>& live) {
    if (auto* to_run = std::get_if<core::Run>(&action)) {
        const bool restartable = to_run->call->tool && to_run->call->tool->restartable;
        const auto of_call = live_call(to_run->call, live);
        restartable ? start_restartable(of_call, std::move(*to_run)) : start(of_call, std::move(*to_run));
    } else if (auto* task = std::get_if<core::RunTask>(&action)) {
        const auto of_call = live_call(task->run.call, live);
        start_task(of_call, std::move(task->run));
    } else if (const auto* load = std::get_if<core::LoadTasks>(&action)) {
        load_tasks(*load);
    } else if (auto* intercepted = std::get_if<core::Intercept>(&action)) {
        intercept(std::move(*intercepted));
    } else if (auto* conclude = std::get_if<core::Conclude>(&action)) {
        std::move(conclude->reply).send(std::move(conclude->outcome));
    } else if (auto* update = std::get_if<core::CheckUpdate>(&action)) {
        check_update(*update);
    } else if (auto* change = std::get_if<core::CheckListChange>(&action)) {
        check_list_change(*change);
    } else if (auto* stop = std::get_if<core::Stop>(&action)) {
        stop->call->stop.request_stop();
    } else if (auto* deliver = std::get_if<core::Deliver>(&action)) {
        tell([deliver] { std::move(deliver->reply).send(std::move(deliver->answer)); });
    } else if (auto* notify = std::get_if<core::Notify>(&action)) {
        tell(notify->function);
    } else if (const auto* ended = std::get_if<core::Ended>(&action)) {
        server_->ended(*ended, now(), options_.transport);
    } else if (const auto* note = std::get_if<core::Note>(&action)) {
        tell_of(*note);
    }
}

// A peer can cause warnings at will, so they are limited. Errors are faults of this server.
void Session::Impl::tell_of(const core::Note& note) const {
    if (note.level >= LogLevel::error) return server_->note(note.level, note.text);
    server_->note_of_peer(options_.owner, note.level, note.text, {{"principal", options_.owner}});
}

// Returns `live` if it belongs to this call: middleware and the handler share it. Without memory, it throws and leaves
// `call` unchanged.
std::shared_ptr<LiveCall> Session::Impl::live_call(core::CallPtr& call, const std::shared_ptr<LiveCall>& live) {
    return live && live->call() == call ? live : std::make_shared<LiveCall>(shared_from_this(), std::move(call));
}

void Session::Impl::start_task(const std::shared_ptr<LiveCall>& live, core::Run to_run) {
    if (server_->tasks().is_shared()) return start_shared_task(live, std::move(to_run));
    if (auto ok = live->begin_task(); !ok) return task_refused(*live, std::move(to_run.reply), ok.error());
    start(live, std::move(to_run));
}

void Session::Impl::start_shared_task(const std::shared_ptr<LiveCall>& live, core::Run to_run) {
    LiveCall::begin_shared_task(live, starting(live, std::move(to_run)));
}

void Session::Impl::start_restartable(const std::shared_ptr<LiveCall>& live, core::Run to_run) {
    const auto outlet = outlet_.lock();
    if (!outlet || !outlet->shares_session()) return start(live, std::move(to_run));
    outlet->store_call(live->call(), starting(live, std::move(to_run)));
}

// The handler starts when the store has the task or call. A thread of the store calls back, so it must not run the
// handler.
Reply<void> Session::Impl::starting(std::shared_ptr<LiveCall> live, core::Run to_run) {
    return make_reply<void>([live = std::move(live), to_run = std::move(to_run)](const Result<void>& ok) mutable {
        Session::Impl& self = live->session();
        if (!ok) return self.task_refused(*live, std::move(to_run.reply), ok.error());
        if (!self.options_.post) return self.start(live, std::move(to_run));
        try {
            self.options_.post(CallRunner(live, std::move(to_run.job), std::move(to_run.reply)));
        } catch (...) {
            self.could_not_start(*live);
        }
    });
}

void Session::Impl::task_refused(const LiveCall& live, Reply<core::HandlerResult> reply, const Error& error) {
    with_engine([&](core::ServerEngine&) { core::ServerEngine::not_started(live.call()); });
    if (reply) return std::move(reply).send(error);
    answered(live, error);
}

// A task may change between the two loads: the listener learns of it, or the second load finds it.
void Session::Impl::load_tasks(const core::LoadTasks& load) {
    auto loaded = [self = shared_from_this(), load](const Result<std::vector<TaskRecord>>& tasks) {
        const core::CallPtr call = load.listener->call;
        bool listens = false;
        self->with_engine([&](core::ServerEngine& engine) { listens = engine.tasks_loaded(load.listener, tasks); });
        if (!listens) return;
        auto current = [self, call](const Result<std::vector<TaskRecord>>& again) {
            if (again)
                self->with_engine([&](core::ServerEngine& engine) { engine.tell_listener_of_tasks(call, *again); });
        };
        self->server_->tasks().find_all(load.ids, *load.reach, make_reply<std::vector<TaskRecord>>(std::move(current)));
    };
    server_->tasks().find_all(load.ids, *load.reach, make_reply<std::vector<TaskRecord>>(std::move(loaded)));
}

void Session::Impl::start(const std::shared_ptr<LiveCall>& live, core::Run to_run) {
    const bool inline_ = to_run.placement != Placement::worker || !options_.post;
    const bool on_worker = to_run.reply && !must_not_wait();  // its middleware runs on a worker already
    try {
        CallRunner runner(live, std::move(to_run.job), std::move(to_run.reply));
        if (inline_) {
            const MustNotWait inline_section;
            return runner();
        }
        if (on_worker) return runner();
        options_.post(std::move(runner));
    } catch (...) {
        could_not_start(*live);
    }
}

void Session::Impl::run_again(const std::shared_ptr<LiveCall>& live, core::Run to_run) {
    if (to_run.placement != Placement::worker || !options_.post) return start(live, std::move(to_run));
    try {
        options_.post(CallRunner(live, std::move(to_run.job), std::move(to_run.reply)));
    } catch (...) {
        could_not_start(*live);
    }
}

void Session::Impl::answered(const LiveCall& live, Result<core::HandlerResult>&& outcome) {
    if (const auto as_task = live.task()) return as_task->answered(std::move(outcome));
    with_engine([&](core::ServerEngine& engine) { engine.answered(live.call(), std::move(outcome)); });
}

void Session::Impl::tell(const std::function<void()>& user) const {
    try {
        user();
    } catch (...) {
        io::survives(
            [this] {
                server_->note(LogLevel::error, "a callback threw an exception: " + detail::current_error().message);
            },
            [](const char*) {});
    }
}

void Session::Impl::wait_for_reader(const core::CallPtr& call) const {
    const auto outlet = must_not_wait() ? nullptr : outlet_.lock();
    if (outlet) outlet->wait_for_reader(call->reply_to, call->stop);
}

void Session::Impl::wait_before_call(const core::CallPtr& call) const {
    const auto outlet = must_not_wait() ? nullptr : outlet_.lock();
    if (outlet) outlet->wait_before_call(call->stop);
}

std::shared_ptr<std::mutex> Session::Impl::turn() const {
    const auto outlet = must_not_wait() ? nullptr : outlet_.lock();
    return outlet ? outlet->turn() : nullptr;
}

// ---- the owner

void Session::Impl::wake() {
    if (!options_.wake) return;
    const std::lock_guard lock(wake_mutex_);
    if (owned_) options_.wake();
}

void Session::Impl::close() {
    // Destructors call it, so it must not throw, also when memory is short.
    io::insist([this] { shut_down("the session was closed"); }, later(Clock::now(), io::last_chance));
    leave();
    const std::lock_guard lock(wake_mutex_);
    owned_ = false;  // a handler that still runs keeps the session alive, but not its owner
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

void Session::Impl::tick() {
    const TimePoint when = now();
    with_engine([&](core::ServerEngine& engine) { engine.tick(when); });
    server_->tasks().visit([](core::TaskBoard& board, WallTime wall) { board.sweep(wall); });
}

void Session::Impl::shut_down(std::string_view why) {
    with_engine([&](core::ServerEngine& engine) { engine.shut_down(why); });
    end_tasks();
}

void Session::Impl::end_tasks() {
    if (options_.keep_tasks) return;
    server_->tasks().visit([&](core::TaskBoard& board, WallTime wall) { board.end_session(name_, wall); });
}

}  // namespace tenon
