// The questions to one client that have no answer yet (legacy revisions, where a question is a request).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/server/question.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::core {

/// Keeps the questions until each is answered or withdrawn. Sends nothing itself. Not thread-safe.
class PendingQuestions {
 public:
    using QuestionId = std::int64_t;  // the id of the request that asks the question

    /// A question that will get no answer.
    struct Withdrawn {
        CallPtr call;  ///< the call that asked; null when it is gone
        Reply<json::value> reply;
        Encoded cancelled;  ///< the parameters of notifications/cancelled
    };

    /// Puts the name of this node into the ids of later requests, as "node-1". So another node that gets the answer
    /// knows which node asked. Empty (default): the ids are numbers.
    void set_node(std::string node) { node_ = std::move(node); }
    /// Returns the id of the request, as the client sees it.
    jsonrpc::Id wire_id(QuestionId id) const;

    /// Keeps the question until `deadline`, and returns the id for its request.
    QuestionId add(const CallPtr& call, Reply<json::value> reply, TimePoint deadline);
    /// Removes the question with this id and returns its reply; nullopt for an unknown id.
    std::optional<Reply<json::value>> answered(const jsonrpc::Id& id);
    /// Removes a question. `id` must be pending.
    Withdrawn withdraw(QuestionId id, std::string_view why);

    bool has(QuestionId id) const { return pending_.contains(id); }
    bool has(const jsonrpc::Id& id) const;
    std::vector<QuestionId> all() const;
    std::vector<QuestionId> asked_by(const CallPtr& call) const;
    std::vector<QuestionId> late(TimePoint now) const;
    std::optional<TimePoint> next_deadline() const;
    std::size_t size() const { return pending_.size(); }

 private:
    struct Pending {
        Reply<json::value> reply;
        std::weak_ptr<const Call> call;
        TimePoint deadline;
    };
    template <class Matches>
    std::vector<QuestionId> find(Matches matches) const;

    std::map<QuestionId, Pending> pending_;
    QuestionId next_ = 1;
    std::string node_;
};

}  // namespace tenon::core

#pragma GCC visibility pop
