#include "inspect/consent_desk.hpp"

namespace tenon::inspect {

std::string ConsentDesk::ask(Request request, Then then) {
    if (const auto known = permissions_.use(request.subject, wall_clock())) {
        then(*known != ConsentDecision::never);
        return {};
    }
    json::object data = {{"kind", to_string(request.subject.kind)},          {"server", request.server},
                         {"subject", request.subject.definition.name},       {"sends", std::move(request.sends)},
                         {"changed", permissions_.changed(request.subject)}, {"by", request.by}};
    if (!request.definition.is_null()) data["definition"] = std::move(request.definition);
    if (!request.call.empty()) data["call"] = request.call;
    std::string id;
    {
        const std::lock_guard lock(mutex_);
        if (open_.size() < max_open) {
            id = "k" + std::to_string(next_++);
            data["consent"] = id;
            open_.emplace(id, Open{std::move(request.subject), data, then});
        }
    }
    if (id.empty())
        then(false);
    else
        recorder_.tell("consent", std::move(data));
    return id;
}

std::optional<ConsentDesk::Open> ConsentDesk::take(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(id);
    if (found == open_.end()) return std::nullopt;
    Open out = std::move(found->second);
    open_.erase(found);
    return out;
}

ConsentDesk::Decided ConsentDesk::decide(const std::string& id, ConsentDecision decision) {
    const auto open = take(id);
    if (!open) return {};
    const bool saved = permissions_.remember(open->subject, decision, wall_clock());
    recorder_.tell("consent_done", {{"consent", id}, {"decision", to_string(decision)}});
    if (decision != ConsentDecision::once && decision != ConsentDecision::refuse) recorder_.tell("decisions", {});
    open->then(decision != ConsentDecision::refuse && decision != ConsentDecision::never);
    return {true, saved};
}

void ConsentDesk::drop(const std::string& id) {
    const auto open = take(id);
    if (!open) return;
    recorder_.tell("consent_done", {{"consent", id}, {"decision", "gone"}});
    open->then(false);
}

void ConsentDesk::drop_all() {
    for (;;) {
        std::string id;
        {
            const std::lock_guard lock(mutex_);
            if (open_.empty()) return;
            id = open_.begin()->first;
        }
        drop(id);
    }
}

json::array ConsentDesk::open() const {
    const std::lock_guard lock(mutex_);
    json::array out;
    for (const auto& [id, open] : open_) out.push_back(open.data);
    return out;
}

}  // namespace tenon::inspect
