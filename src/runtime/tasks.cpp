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
                changes_.push_back(std::move(changed->task));
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
        std::vector<TaskRecord> changes;
        {
            const std::lock_guard lock(mutex_);
            changes.swap(changes_);
            if (changes.empty()) telling_ = false;
        }
        if (changes.empty()) return;
        for (const TaskRecord& task : changes) tell_(task);
    }
}

std::optional<TaskRecord> Tasks::find(std::string_view id, const core::Reach& reach) {
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
