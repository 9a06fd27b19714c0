// Which answer belongs to which request, when several requests share an id.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tenon::test {

/// A bipartite matching of requests and answers that grows with the conversation. An answer shows only which requests
/// it fits. So the matching never decides too early: it moves earlier answers whenever a new one needs their request.
/// Requests have numbers in the order in which they were added.
class Matching {
 public:
    using Requests = std::vector<std::size_t>;

    void add_request() { answer_of_.emplace_back(); }

    /// Adds an answer that fits these requests. Returns false, and changes nothing, when the answers could not all
    /// have a request of their own.
    bool add_answer(Requests fitting) {
        fitting_.push_back(std::move(fitting));
        std::vector<bool> seen(answer_of_.size());
        if (place(fitting_.size() - 1, seen)) return true;
        fitting_.pop_back();
        return false;
    }

    std::size_t answers() const { return fitting_.size(); }

    /// Returns, for each request, whether it may be unanswered: it has no answer here, or its answer could move to a
    /// request that may be unanswered. All other requests are answered in every matching, now and after later answers.
    std::vector<bool> maybe_open() const {
        std::vector<bool> open(answer_of_.size());
        for (std::size_t r = 0; r < open.size(); ++r) open[r] = !answer_of_[r];
        const auto can_move = [&](std::size_t answer) {
            return std::ranges::any_of(fitting_[answer], [&](std::size_t r) { return open[r]; });
        };
        for (bool grown = true; grown;) {
            grown = false;
            for (std::size_t r = 0; r < open.size(); ++r)
                if (!open[r] && can_move(*answer_of_[r])) open[r] = grown = true;
        }
        return open;
    }

    /// Returns whether the wanted requests can all be answered. If they can, one matching answers them and uses all
    /// answers (theorem of Mendelsohn and Dulmage), so this needs no look at the other requests.
    bool can_answer(const std::vector<bool>& wanted) const {
        Matching only;
        only.answer_of_.resize(answer_of_.size());
        for (Requests fitting : fitting_) {
            std::erase_if(fitting, [&](std::size_t r) { return !wanted[r]; });
            only.add_answer(std::move(fitting));
        }
        return only.answers() == static_cast<std::size_t>(std::ranges::count(wanted, true));
    }

 private:
    // Gives the answer to a request that it fits, and moves other answers if necessary (an augmenting path). A free
    // request is tried first: almost every answer finds one.
    bool place(std::size_t answer, std::vector<bool>& seen) {
        for (const std::size_t r : fitting_[answer])
            if (!answer_of_[r]) return answer_of_[r] = answer, true;
        for (const std::size_t r : fitting_[answer]) {
            if (seen[r]) continue;
            seen[r] = true;
            if (place(*answer_of_[r], seen)) return answer_of_[r] = answer, true;
        }
        return false;
    }

    std::vector<Requests> fitting_;                      // for each answer: the requests that it fits
    std::vector<std::optional<std::size_t>> answer_of_;  // for each request: its answer
};

}  // namespace tenon::test
