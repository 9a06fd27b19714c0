#include "simulation/cluster/cluster_oracle.hpp"

#include <algorithm>
#include <cstdio>

namespace tenon::test {

void ClusterOracle::note(const std::string& line) {
    const double ms = std::chrono::duration<double, std::milli>(agenda_.now() - begin_).count();
    char time[32];
    std::snprintf(time, sizeof time, "%9.3f ms  ", ms);
    (trace_ += time) += line;
    trace_ += '\n';
}

void ClusterOracle::fail(const std::string& what) {
    if (failure_) return;
    failure_ = what;
    note("FAILED: " + what);
}

// ---- the store

void ClusterOracle::appended(const store::StreamName& stream, std::string_view bytes, bool last) {
    OracleLog& to = log(stream.group, stream.name);
    require(!to.finished, "an event was added to the finished log " + stream.name);
    to.finished |= last;
    const web::StoredEvent event = web::decode_event(bytes);
    const bool mark = !event.listens.empty() || !event.resumes.empty();
    bool skipped = mark;
    if (event.once) skipped |= !to.keys.insert(*event.once).second;
    to.events.push_back({std::string(event.data), skipped, event.data.empty() && !mark, std::string(event.listens)});
    const bool gives_up = event.data.find("the node that ran the request is gone") != event.data.npos;
    const std::string node = stream.name.substr(1, stream.name.find('.') - 1);
    if (gives_up) require(has_lapsed(node), "a request of the living node " + node + " was given up");
}

void ClusterOracle::wrote(const TaskRecord& task, bool created) {
    const auto [it, is_new] = tasks_.try_emplace(task.id);
    OracleTask& known = it->second;
    require(created || !is_new, "a task was written that was never created");
    if (created) known.owner = task.owner;
    require(known.owner == task.owner, "a task changed its owner");
    const std::string result = text_of_result(json::value(task.result));
    const bool same = known.status == task.status && known.result == result;
    require(!is_terminal(known.status) || same, "a task that was " + std::string(to_string(known.status)) + " became " +
                                                    std::string(to_string(task.status)));
    known.status = task.status;
    known.result = result;
}

// ---- clients

namespace {

// All GET streams of a session share one log.
std::string log_of(const web::EventPlace& place) {
    return "e" + (web::listener_of(place) ? std::string(web::listener_log) : place.log);
}

// Returns the GET stream that must show this event: the newest one that began before it. The events before the first
// mark belong to the first stream.
std::string owner_of(const OracleLog& log, std::uint64_t id) {
    for (std::uint64_t i = id; i > 0; --i)
        if (!log.events[i - 1].opens.empty()) return log.events[i - 1].opens;
    for (const OracleLog::Event& event : log.events)
        if (!event.opens.empty()) return event.opens;
    return {};
}

// Returns whether the stream of this place may show the event.
bool is_its_own(const OracleLog& log, const web::EventPlace& place, std::uint64_t id) {
    const auto stream = web::listener_of(place);
    return !log.events[id - 1].skipped && (!stream || owner_of(log, id) == *stream);
}

// Returns whether the stream of this place must show the event. An event that only has an id may be left out.
bool is_due(const OracleLog& log, const web::EventPlace& place, std::uint64_t id) {
    return is_its_own(log, place, id) && !log.events[id - 1].only_id;
}

}  // namespace

void ClusterOracle::showed(const std::string& session, const web::EventPlace& before, const web::EventPlace& now,
                           std::string_view data) {
    const OracleLog& shown = log(session, log_of(now));
    if (!web::listener_of(now) && shown.doubtful) return;
    const std::string what = "the event " + now.log + "-" + std::to_string(now.event);
    if (!require(before.log == now.log, what + " is on the stream of " + before.log)) return;
    if (!require(now.event > before.event, what + " came after " + std::to_string(before.event))) return;
    if (!require(now.event <= shown.events.size(), what + " is not in the store")) return;
    for (std::uint64_t i = before.event + 1; i < now.event; ++i)
        require(!is_due(shown, now, i), what + " came, and the event " + std::to_string(i) + " is lost");
    const OracleLog::Event& event = shown.events[now.event - 1];
    require(is_its_own(shown, now, now.event), what + " repeats another one, or belongs to another stream");
    require(event.data == data, what + " is not what the store has");
}

void ClusterOracle::require_nothing_between(const std::string& session, const web::EventPlace& before,
                                            const web::EventPlace& now) {
    const OracleLog& shown = log(session, log_of(now));
    for (std::uint64_t i = before.event + 1; i <= std::min<std::uint64_t>(now.event, shown.events.size()); ++i)
        require(!is_due(shown, now, i), "the event " + now.log + "-" + std::to_string(i) + " is skipped");
}

void ClusterOracle::require_all_shown(const std::string& session, const web::EventPlace& last, const std::string& who) {
    const OracleLog& shown = log(session, log_of(last));
    for (std::uint64_t i = last.event + 1; i <= shown.events.size(); ++i)
        require(!is_due(shown, last, i), who + " has not got the event " + last.log + "-" + std::to_string(i) +
                                             ", although the faults are over");
}

void ClusterOracle::began(const std::string& token, const std::string& node) {
    const bool first = ran_.emplace(token, node).second;
    require(first, "the call " + token + " was run twice");
}

const std::string* ClusterOracle::node_of(const std::string& token) const {
    const auto it = ran_.find(token);
    return it == ran_.end() ? nullptr : &it->second;
}

std::string text_of_result(const json::value& result) {
    const json::object* o = result.if_object();
    const json::value* content = o ? o->if_contains("content") : nullptr;
    if (!content || !content->is_array() || content->get_array().empty()) return {};
    const json::object* first = content->get_array().front().if_object();
    const json::value* text = first ? first->if_contains("text") : nullptr;
    return text && text->is_string() ? std::string(text->get_string()) : std::string();
}

}  // namespace tenon::test
