#include "transport/http_server/node_confirmations.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tenon {

std::optional<std::uint64_t> NodeConfirmations::add(const std::vector<std::string>& nodes, Done done) {
    const std::lock_guard lock(mutex_);
    std::set<std::string> wanted;
    std::ranges::copy_if(nodes, std::inserter(wanted, wanted.end()),
                         [this](const std::string& node) { return !silent_.contains(node); });
    if (wanted.empty() || waiting_.size() >= max_waiting) return std::nullopt;
    waiting_.emplace(++last_token_, Waiting{std::move(wanted), std::move(done)});
    return last_token_;
}

void NodeConfirmations::confirm(std::uint64_t token, const std::string& node) {
    Done done;
    {
        const std::lock_guard lock(mutex_);
        const auto it = waiting_.find(token);
        if (it == waiting_.end()) return;
        it->second.nodes.erase(node);
        if (!it->second.nodes.empty()) return;
        done = std::move(it->second.done);
        waiting_.erase(it);
    }
    done();
}

bool NodeConfirmations::drop(std::uint64_t token) {
    const std::lock_guard lock(mutex_);
    return waiting_.erase(token) > 0;
}

void NodeConfirmations::heard(const std::string& node) {
    if (!any_silent_.load()) return;
    const std::lock_guard lock(mutex_);
    silent_.erase(node);
    any_silent_.store(!silent_.empty());
}

void NodeConfirmations::tick(TimePoint now) {
    std::vector<Done> late;
    {
        const std::lock_guard lock(mutex_);
        for (auto it = waiting_.begin(); it != waiting_.end();) {
            if (!it->second.since) it->second.since = now;
            if (now - *it->second.since < max_wait) {
                ++it;
                continue;
            }
            silent_.merge(it->second.nodes);
            late.push_back(std::move(it->second.done));
            it = waiting_.erase(it);
        }
        while (silent_.size() > max_silent) silent_.erase(silent_.begin());
        any_silent_.store(!silent_.empty());
    }
    for (const Done& done : late) done();
}

std::size_t NodeConfirmations::waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
}

}  // namespace tenon
