// TaskBook: the tasks of this session. Thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "inspect/calls.hpp"

namespace tenon::inspect {

class TaskBook {
 public:
    TaskBook(Session& session, Calls& calls, Recorder& recorder);

    // The commands of the API. They wait for the server, and throw Refusal and tenon::Exception.
    json::object list();
    json::object get(const std::string& id);
    json::object cancel(const std::string& id);
    json::object provide_input(const std::string& id, json::object responses);
    /// Waits for the end of the task as a call. Returns {"call", "consent"}.
    json::object result(const std::string& id);
    void forget_all();

 private:
    struct Known {
        std::string tool, call;
    };
    json::object describe(const TaskInfo& info) const;
    json::object tell(const TaskInfo& info);

    static constexpr std::size_t max_tasks = 1000;  // remembered; the server keeps the task itself

    Session& session_;
    Calls& calls_;
    Recorder& recorder_;
    mutable std::mutex mutex_;  // guards the member below
    std::map<std::string, Known> known_;
};

}  // namespace tenon::inspect
