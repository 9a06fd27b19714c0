// Sees everything that happens in a simulated cluster: what the store has, what handlers did, and what clients got.
// Keeps the first broken invariant, and a trace that people can read.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/store.hpp>

#include "simulation/agenda.hpp"
#include "web/stored_event.hpp"

namespace tenon::test {

/// A log of events, as the store has it.
struct OracleLog {
    struct Event {
        std::string data;
        bool skipped = false;    ///< a mark, or a message whose key an earlier event has: readers do not show it
        bool only_id = false;    ///< an event without a message, which only has an id
        std::string opens = {};  ///< the GET stream that begins here
    };
    std::vector<Event> events = {};  ///< the first one has the id 1
    std::set<std::uint64_t> keys = {};
    bool finished = false;
    /// An event could not be stored, or it is unknown whether it was. Clients may miss or repeat events then.
    bool doubtful = false;
};

/// A task, as the store has it.
struct OracleTask {
    std::string owner = {};
    TaskStatus status = TaskStatus::working;
    std::string result = {};
    bool shown = false;  ///< a client has its id
};

class ClusterOracle {
 public:
    explicit ClusterOracle(const Agenda& agenda) : agenda_(agenda), begin_(agenda.now()) {}

    // The trace, and the first failure.
    void note(const std::string& line);
    bool require(bool holds, const std::string& what) {
        if (!holds) fail(what);
        return holds;
    }
    void fail(const std::string& what);
    const std::optional<std::string>& failure() const { return failure_; }
    const std::string& trace() const { return trace_; }

    // What the store did.
    void appended(const store::StreamName& stream, std::string_view bytes, bool last);
    void finished(const store::StreamName& stream) { log(stream.group, stream.name).finished = true; }
    /// A write of this log failed, or its outcome is unknown.
    void doubt(const store::StreamName& stream) { log(stream.group, stream.name).doubtful = true; }
    /// The lease of a node had run out, or ran out now.
    void lapsed(const std::string& node) { lapsed_.insert(node); }
    bool has_lapsed(const std::string& node) const { return lapsed_.contains(node); }
    void wrote(const TaskRecord& task, bool created);
    void session_removed(const std::string& id) {
        std::erase_if(logs_, [&](const auto& entry) { return entry.first.group == id; });
    }
    void removed(const std::string& task) { tasks_.erase(task); }

    /// `name`: with the letter by which the store tells logs from boxes.
    OracleLog& log(const std::string& session, const std::string& name) { return logs_[{session, name}]; }
    /// A client that has seen a log up to `before` gets the event `now` of it. Requires that this is the next one.
    void showed(const std::string& session, const web::EventPlace& before, const web::EventPlace& now,
                std::string_view data);
    /// A client may continue after `now`. Requires that it has seen everything before.
    void require_nothing_between(const std::string& session, const web::EventPlace& before, const web::EventPlace& now);
    /// Requires that a reader which has seen the log up to this event has seen everything.
    void require_all_shown(const std::string& session, const web::EventPlace& last, const std::string& who);

    // What handlers did.
    /// A handler began to work for a token. It must do so once.
    void began(const std::string& token, const std::string& node);
    const std::string* node_of(const std::string& token) const;
    std::map<std::string, OracleTask>& tasks() { return tasks_; }

    /// There was a fault.
    void note_fault() { faulty_ = true; }
    bool faulty() const { return faulty_; }

 private:
    const Agenda& agenda_;
    const TimePoint begin_;
    std::optional<std::string> failure_;
    bool faulty_ = false;
    std::string trace_;
    std::map<store::StreamName, OracleLog> logs_;
    std::set<std::string> lapsed_;
    std::map<std::string, std::string> ran_;  // the node, by token
    std::map<std::string, OracleTask> tasks_;
};

/// Returns the text of the first content of a tool result, or an empty string if it has no text.
std::string text_of_result(const json::value& result);

}  // namespace tenon::test
