// Replays the handler of a call for a client whose revision needs no replay: ServerOptions::replay_every_call.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/server/question.hpp"
#include "core/server/replay_trace.hpp"
#include "core/server/settings.hpp"

namespace tenon {

/// The answers and the steps of one call, over all runs of its handler. An answer does not go to the run that asked:
/// that run is unwound, and the next one gets the answer at once. Thread-safe. Calls no callback under its lock.
class Rehearsal {
 public:
    /// After Limits::max_pending_questions answers, questions wait as usual, so memory stays limited.
    explicit Rehearsal(const core::Settings& settings) : max_answers_(settings.limits.max_pending_questions) {
        trace_.quote_texts(!settings.redact);
    }

    /// Where a run began. The middleware may have done steps before it.
    struct Mark {
        std::size_t steps = 0;
        std::uint64_t asked = 0;
    };
    Mark mark() const;

    struct Known {
        Reply<json::value> reply;
        Result<json::value> answer;
    };
    struct Plan {
        std::vector<Known> known;                  ///< answers to deliver at once
        std::vector<core::Question> to_send = {};  ///< the answers of those with a new reply go to `answered`
        std::vector<std::string> differences = {};
    };
    /// Decides about the questions of the running run. Answers go to `answered`, with the key of their question.
    Plan ask(std::vector<core::Question> questions,
             const std::function<void(const std::string& key, Result<json::value> answer)>& answered);
    /// Records an answer of the client. Returns the replies that wait for it, with what they get.
    std::vector<Known> answered(const std::string& key, const Result<json::value>& answer);

    struct Repeated {
        bool is_new = true;
        std::optional<std::string> difference = {};
    };
    /// Compares another step of the running run with the run before. See ReplayTrace.
    Repeated step(std::string name, std::string_view text = {});

    /// Returns whether the run that ended must be followed by another one, which begins at `from`.
    bool begin_again(Mark from);
    /// Ends the last run. Returns the steps that it did not repeat, in words.
    std::optional<std::string> end();

 private:
    struct Entry {
        std::optional<Result<json::value>> answer = {};
        std::vector<Reply<json::value>> waiting = {};
    };

    const std::size_t max_answers_;
    mutable std::mutex mutex_;  // guards the members below
    core::ReplayTrace trace_;
    std::map<std::string, Entry> entries_;  // by the keys of questions
    std::uint64_t asked_ = 0;               // questions of this run; numbers the keys of questions without a key
    bool on_ = true;                        // false after a difference: another run would ask other questions
    bool again_ = false;                    // this run was unwound
};

}  // namespace tenon
