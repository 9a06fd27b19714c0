#include "runtime/tasks.hpp"

#include <utility>

#include "io/random.hpp"

namespace tenon {

std::string Tasks::new_id() {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const std::uint8_t byte : io::random_bytes<16>()) {
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

void Tasks::visit(const Visit& visit) {
    std::vector<core::TaskAction> actions;
    {
        const WallTime now = clock_();
        const std::lock_guard lock(mutex_);
        visit(board_, now);
        for (core::TaskAction& action : board_.take_actions()) {
            if (auto* changed = std::get_if<core::TaskChanged>(&action)) {
                changes_.emplace_back(std::move(*changed));
            } else if (auto* gone = std::get_if<core::TaskGone>(&action)) {
                changes_.emplace_back(std::move(*gone));
            } else {
                actions.push_back(std::move(action));
            }
        }
    }
    tell_changes();  // first, so that a client learns that a task is over before it gets the result
    perform(actions);
}

void Tasks::perform(std::vector<core::TaskAction>& actions) {
    for (core::TaskAction& action : actions) {
        if (auto* stop = std::get_if<core::StopTask>(&action)) {
            stop->stop.request_stop();
        } else if (auto* answer = std::get_if<core::AnswerWaiting>(&action)) {
            std::move(answer->reply).send(std::move(answer->answer));
        } else if (auto* deliver = std::get_if<core::Deliver>(&action)) {
            try {
                std::move(deliver->reply).send(std::move(deliver->answer));
            } catch (...) {
                note_(LogLevel::error, "a callback threw an exception: " + detail::current_error().message);
            }
        } else if (auto* ended = std::get_if<core::TaskEnded>(&action)) {
            ended_(*ended);
        } else if (auto* note = std::get_if<core::Note>(&action)) {
            note_(note->level, note->text);
        }
    }
}

// Only one thread reports changes at a time, so that they are reported in order.
void Tasks::tell_changes() {
    {
        const std::lock_guard lock(mutex_);
        if (telling_ || changes_.empty()) return;
        telling_ = true;
    }
    for (;;) {
        std::vector<Change> changes;
        std::shared_ptr<SharedTasks> shared;
        {
            const std::lock_guard lock(mutex_);
            changes.swap(changes_);
            if (changes.empty()) telling_ = false;
            shared = shared_;
        }
        if (changes.empty()) return;
        for (const Change& change : changes) tell(change, shared.get());
    }
}

// A store announces a change when it has it, to the sessions of all nodes.
void Tasks::tell(const Change& change, SharedTasks* shared) const {
    const auto* changed = std::get_if<core::TaskChanged>(&change);
    if (changed && shared) return shared->changed(changed->task, changed->quiet);
    if (changed) return tell_(changed->task);
    if (shared) shared->gone(std::get<core::TaskGone>(change).id);
}

// ---- the requests of clients

void Tasks::find(std::string id, core::Reach reach, Reply<TaskRecord> reply) {
    if (const auto store = shared()) return store->find(std::move(id), std::move(reach), std::move(reply));
    Result<TaskRecord> found = Error{};
    visit([&](core::TaskBoard& board, WallTime now) { found = board.find(id, reach, now); });
    std::move(reply).send(std::move(found));
}

void Tasks::update(std::string id, core::Reach reach, json::object responses, Reply<void> reply) {
    if (const auto store = shared())
        return store->update(std::move(id), std::move(reach), std::move(responses), std::move(reply));
    Result<void> done;
    visit([&](core::TaskBoard& board, WallTime now) { done = board.update(id, reach, responses, now); });
    std::move(reply).send(std::move(done));
}

void Tasks::cancel(std::string id, core::Reach reach, Reply<core::CancelledTask> reply) {
    if (const auto store = shared()) return store->cancel(std::move(id), std::move(reach), std::move(reply));
    Result<core::CancelledTask> out = Error{};
    visit([&](core::TaskBoard& board, WallTime now) {
        const auto before = board.find(id, reach, now);
        auto task = board.cancel(id, reach, now);
        if (task)
            out = core::CancelledTask{*std::move(task), before && is_terminal(before->status)};
        else
            out = task.error();
    });
    std::move(reply).send(std::move(out));
}

void Tasks::wait(std::string id, core::Reach reach, Reply<core::HandlerResult> reply) {
    if (const auto store = shared()) return store->wait(std::move(id), std::move(reach), std::move(reply));
    visit([&](core::TaskBoard& board, WallTime now) { board.wait(id, reach, std::move(reply), now); });
}

void Tasks::list(std::string owner, std::uint64_t after, std::size_t max, Reply<std::vector<TaskRecord>> reply) {
    if (const auto store = shared()) return store->list(std::move(owner), after, max, std::move(reply));
    std::vector<TaskRecord> found;
    visit([&](core::TaskBoard& board, WallTime now) { found = board.list(owner, after, max, now); });
    std::move(reply).send(std::move(found));
}

namespace {

// Tasks that are being found, each by an operation of its own.
struct Search {
    Search(std::size_t count, Reply<std::vector<TaskRecord>> to) : reply(std::move(to)), open(count), found(count) {}
    /// Notes one answer. Returns whether it was the last.
    bool note(std::size_t which, Result<TaskRecord> task) {
        const std::lock_guard lock(mutex);
        if (task)
            found[which] = *std::move(task);
        else if (store::is_unavailable(task.error()))
            error = task.error();
        return --open == 0;
    }
    void finish() {
        if (error) return std::move(reply).send(*error);
        std::vector<TaskRecord> out;
        for (auto& task : found)
            if (task) out.push_back(*std::move(task));
        std::move(reply).send(std::move(out));
    }

    Reply<std::vector<TaskRecord>> reply;
    std::mutex mutex;
    std::size_t open;
    std::vector<std::optional<TaskRecord>> found;
    std::optional<Error> error = {};
};

}  // namespace

void Tasks::find_all(const std::vector<std::string>& ids, const core::Reach& reach,
                     Reply<std::vector<TaskRecord>> reply) {
    if (ids.empty()) return std::move(reply).send({});
    const auto search = std::make_shared<Search>(ids.size(), std::move(reply));
    for (std::size_t i = 0; i < ids.size(); ++i)
        find(ids[i], reach, make_reply<TaskRecord>([search, i](Result<TaskRecord> task) {
                 if (search->note(i, std::move(task))) search->finish();
             }));
}

// ---- new tasks

void Tasks::forget(const std::string& id) {
    visit([&](core::TaskBoard& board, WallTime) { board.forget(id); });
    if (const auto store = shared()) store->remove(id);
}

void Tasks::publish(const TaskRecord& task, Reply<void> reply) {
    const auto store = shared();
    if (!store) return std::move(reply).send(store::unavailable("the node is about to stop"));
    store->create(task, make_reply<void>([this, id = task.id, reply = std::move(reply)](Result<void> stored) mutable {
                      if (!stored) visit([&](core::TaskBoard& board, WallTime) { board.forget(id); });
                      std::move(reply).send(std::move(stored));
                  }));
}

// ---- time and the end

void Tasks::share(std::shared_ptr<SharedTasks> shared) {
    const std::lock_guard lock(mutex_);
    board_.share(shared != nullptr);
    std::swap(shared_, shared);
}

void Tasks::tick(TimePoint now) {
    visit([](core::TaskBoard& board, WallTime wall) { board.sweep(wall); });
    if (const auto store = shared()) store->tick(now);
}

void Tasks::end_all() {
    const auto store = shared();
    if (store) store->leave();
    visit([](core::TaskBoard& board, WallTime wall) { board.end_all(wall); });
    if (store) share(nullptr);
}

std::optional<TaskRecord> Tasks::look_up(std::string_view id, const core::Reach& reach) {
    const WallTime now = clock_();
    const std::lock_guard lock(mutex_);
    auto found = board_.find(id, reach, now);  // changes by its sweep are reported with the next visit
    return found ? std::optional(*std::move(found)) : std::nullopt;
}

std::optional<Duration> Tasks::time_left() {
    const WallTime now = clock_();
    const std::lock_guard lock(mutex_);
    const WallTime next = board_.next_deadline();
    if (next == WallTime::max()) return std::nullopt;
    return std::max(std::chrono::duration_cast<Duration>(next - now), Duration::zero());
}

}  // namespace tenon
