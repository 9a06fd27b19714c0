#include "runtime/rehearsal.hpp"

#include "core/server/replay_words.hpp"

namespace tenon {

Rehearsal::Mark Rehearsal::mark() const {
    const std::lock_guard lock(mutex_);
    return {trace_.steps(), asked_};
}

Rehearsal::Plan Rehearsal::ask(
    std::vector<core::Question> questions,
    const std::function<void(const std::string& key, Result<json::value> answer)>& answered) {
    Plan plan;
    const std::lock_guard lock(mutex_);
    for (core::Question& question : questions) {
        ++asked_;
        if (question.key.empty()) question.key = "input-" + std::to_string(asked_);
        if (auto difference = trace_.step(core::question_step(question), question.params.json)) {
            plan.differences.push_back(*std::move(difference));
            on_ = false;
        }
        const auto found = entries_.find(question.key);
        if (found != entries_.end() && found->second.answer) {
            plan.known.push_back({std::move(question.reply), *found->second.answer});
        } else if (found != entries_.end()) {  // an earlier run has sent it
            found->second.waiting.push_back(std::move(question.reply));
        } else {
            if (on_ && entries_.size() < max_answers_) {
                entries_[question.key].waiting.push_back(std::move(question.reply));
                question.reply = make_reply<json::value>(
                    [answered, key = question.key](Result<json::value> answer) { answered(key, std::move(answer)); });
            }
            plan.to_send.push_back(std::move(question));
        }
    }
    return plan;
}

// An error goes to the run that asked, because only answers replay a handler (2026-07-28).
std::vector<Rehearsal::Known> Rehearsal::answered(const std::string& key, const Result<json::value>& answer) {
    std::vector<Known> out;
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[key];
    entry.answer = answer;
    const bool unwinds = on_ && answer;
    if (unwinds) again_ = true;
    for (Reply<json::value>& reply : std::exchange(entry.waiting, {}))
        out.push_back({std::move(reply), unwinds ? Result<json::value>(detail::replayed_error()) : answer});
    return out;
}

Rehearsal::Repeated Rehearsal::step(std::string name, std::string_view text) {
    const std::lock_guard lock(mutex_);
    auto difference = trace_.step(std::move(name), text);
    if (difference) on_ = false;
    return {trace_.is_new(), std::move(difference)};
}

bool Rehearsal::begin_again(Mark from) {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(again_, false)) return false;
    trace_.begin_again(from.steps);
    asked_ = from.asked;
    return true;
}

std::optional<std::string> Rehearsal::end() {
    const std::lock_guard lock(mutex_);
    return trace_.end();
}

}  // namespace tenon
