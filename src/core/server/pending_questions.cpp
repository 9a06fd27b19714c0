#include "core/server/pending_questions.hpp"

#include <algorithm>

namespace tenon::core {

PendingQuestions::QuestionId PendingQuestions::add(const CallPtr& call, Reply<json::value> reply, TimePoint deadline) {
    const QuestionId id = next_++;
    pending_.emplace(id, Pending{std::move(reply), call, deadline});
    return id;
}

std::optional<Reply<json::value>> PendingQuestions::answered(const jsonrpc::Id& id) {
    const auto it = std::ranges::find_if(pending_, [&](const auto& entry) { return wire_id(entry.first) == id; });
    if (it == pending_.end()) return std::nullopt;
    std::optional<Reply<json::value>> reply = std::move(it->second.reply);
    pending_.erase(it);
    return reply;
}

bool PendingQuestions::has(const jsonrpc::Id& id) const {
    return std::ranges::any_of(pending_, [&](const auto& entry) { return wire_id(entry.first) == id; });
}

PendingQuestions::Withdrawn PendingQuestions::withdraw(QuestionId id, std::string_view why) {
    const auto it = pending_.find(id);
    Withdrawn out{it->second.call.lock(), std::move(it->second.reply), {}};
    pending_.erase(it);
    json::Writer w(out.cancelled.json);
    w.begin_object();
    w.key("requestId");
    wire_id(id).write(w);
    w.field("reason", why);
    w.end_object();
    return out;
}

jsonrpc::Id PendingQuestions::wire_id(QuestionId id) const {
    return node_.empty() ? jsonrpc::Id(id) : jsonrpc::Id(node_ + "-" + std::to_string(id));
}

template <class Matches>
std::vector<PendingQuestions::QuestionId> PendingQuestions::find(Matches matches) const {
    std::vector<QuestionId> ids;
    for (const auto& [id, pending] : pending_)
        if (matches(pending)) ids.push_back(id);
    return ids;
}

std::vector<PendingQuestions::QuestionId> PendingQuestions::all() const {
    return find([](const Pending&) { return true; });
}

std::vector<PendingQuestions::QuestionId> PendingQuestions::asked_by(const CallPtr& call) const {
    return find([&](const Pending& pending) { return pending.call.lock() == call; });
}

std::vector<PendingQuestions::QuestionId> PendingQuestions::late(TimePoint now) const {
    return find([now](const Pending& pending) { return pending.deadline <= now; });
}

std::optional<TimePoint> PendingQuestions::next_deadline() const {
    const auto first = std::ranges::min_element(pending_, {}, [](const auto& entry) { return entry.second.deadline; });
    return first == pending_.end() ? std::nullopt : std::optional(first->second.deadline);
}

}  // namespace tenon::core
