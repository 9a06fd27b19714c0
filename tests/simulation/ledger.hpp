// The calls of all clients of a world. Each call must end exactly once: with its own result, or with an error that has
// a cause.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulation/oracle.hpp"

namespace tenon::test {

/// One call of a client.
struct CallRecord {
    std::size_t owner = 0;
    std::string mark = {};  ///< the secret that goes with the call
    std::string tool = {};
    TimePoint since = {};
    bool cancelled = false;
    int ended = 0;
    int reports = 0;  ///< progress reports that came
    std::optional<Error> error = {};
};

/// The faults that a world injected. They are the only accepted causes of errors.
class Causes {
 public:
    static constexpr std::size_t everyone = 1000;
    static constexpr Duration aftermath = 2s;  ///< a fault may be noticed later

    void add(std::size_t client, TimePoint from, Duration lasting, std::string what) {
        all_.push_back({client, from, later(from, lasting), std::move(what)});
    }
    /// Ends all faults. Errors of calls that begin later have no cause.
    void end(TimePoint now) { ended_ = now; }
    /// Returns whether a fault of this client lasted at some time between the two.
    bool explain(std::size_t client, TimePoint from, TimePoint until) const {
        if (ended_ && from >= *ended_) return false;
        for (const Cause& cause : all_)
            if ((cause.client == client || cause.client == everyone) && cause.from <= until &&
                cause.until + aftermath >= from)
                return true;
        return false;
    }

 private:
    struct Cause {
        std::size_t client;
        TimePoint from, until;
        std::string what;
    };
    std::vector<Cause> all_;
    std::optional<TimePoint> ended_;
};

class Ledger {
 public:
    explicit Ledger(Oracle& oracle) : oracle_(oracle) {}

    Causes causes;

    std::size_t begin(CallRecord record) {
        calls_.push_back(std::move(record));
        ++open_;
        return calls_.size() - 1;
    }
    CallRecord& at(std::size_t call) { return calls_.at(call); }
    const std::vector<CallRecord>& all() const { return calls_; }

    void reported(std::size_t call, std::string_view message) {
        CallRecord& record = at(call);
        oracle_.require(record.ended == 0, "progress after the end of " + record.mark);
        oracle_.require(
            message == record.mark + "/" + std::to_string(record.reports),
            "progress of " + record.mark + " is out of order, or belongs to another call: " + std::string(message));
        ++record.reports;
    }
    void ended(std::size_t call, const Result<json::value>& answer, TimePoint now) {
        CallRecord& record = at(call);
        oracle_.require(++record.ended == 1, "the call " + record.mark + " ended twice");
        if (record.ended == 1) --open_;
        if (answer) return check_result(record, answer.value(), now);
        failed(record, answer.error(), now);
    }
    std::size_t open() const { return open_; }

    /// The result that a call must have.
    static std::string expected(const CallRecord& record) {
        if (record.tool == "ask") return record.mark + "+A" + record.mark;
        if (record.tool == "bulk") return record.mark + std::string(bulk_bytes, 'b');
        return record.mark;
    }
    static constexpr std::size_t bulk_bytes = 100'000;
    static constexpr int talk_reports = 4;

 private:
    void check_result(CallRecord& record, const json::value& result, TimePoint now) {
        const json::object* o = result.if_object();
        if (record.tool == "subscribe" || record.tool == "set_level") return;
        const json::value* failed_tool = o ? o->if_contains("isError") : nullptr;
        const std::string text = text_of(result);
        if (failed_tool && *failed_tool == json::value(true))
            return failed(record, {code::server_error, "isError: " + text}, now);
        oracle_.require(text == expected(record),
                        "the call " + record.mark + " got a wrong result: " + text.substr(0, 100));
        if (record.tool == "talk" && !record.cancelled)
            oracle_.require(record.reports == talk_reports, "the call " + record.mark + " lost progress reports");
    }
    static std::string text_of(const json::value& result) {
        boost::system::error_code missing;
        const json::value* found = result.find_pointer("/content/0/text", missing);
        return found && found->is_string() ? std::string(found->get_string()) : json::write(result);
    }
    void failed(CallRecord& record, const Error& error, TimePoint now) {
        record.error = error;
        if (record.cancelled) return;
        oracle_.require(causes.explain(record.owner, record.since, now),
                        "the call " + record.mark + " (" + record.tool + ") failed without a cause: " + error.message);
    }

    Oracle& oracle_;
    std::vector<CallRecord> calls_;
    std::size_t open_ = 0;
};

}  // namespace tenon::test
