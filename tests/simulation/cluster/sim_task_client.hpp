// A client without a session (2026-07-28): it calls tools, and starts tasks that it polls, updates and cancels on any
// node. A stranger tries the same with its tasks.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulation/cluster/sim_client.hpp"

namespace tenon::test {

class SimTaskClient {
 public:
    SimTaskClient(ClientWorld& world, std::size_t number);

    // Steps. Each does nothing if it is not possible now.
    void call(std::size_t choice);
    void start(std::size_t choice);
    void cancel(std::size_t choice);
    void list();
    void be_attacked(std::size_t choice);

    /// Every task whose id the client has is over, and no call is open.
    bool settled(std::string& why) const;

 private:
    struct Task {
        std::string token, id = {};
        bool asks = false, creating = true, cancelled = false;
        std::optional<std::string> end = {};  // the last state, as the client has seen it
        std::string result = {};
        std::set<std::string> answers = {};
        bool over() const { return !creating && (id.empty() || end); }
    };
    using TaskPtr = std::shared_ptr<Task>;
    using Taken = std::function<void(const web::Response&)>;

    /// Sends a request once. `lost` is called when its connection was lost.
    void post(const json::object& message, const std::string& who, Taken taken, std::function<void()> lost);
    json::object about(const Task& task, std::string_view method, json::object params = {});
    void poll_later(const TaskPtr& task);
    void poll(const TaskPtr& task);
    void created(const TaskPtr& task, const web::Response& response);
    void saw(const TaskPtr& task, const json::object& state, const std::optional<std::string>& known);
    void answer(const TaskPtr& task, const json::object& questions);
    void later(Duration most, std::function<void()> work);
    TaskPtr pick(std::size_t choice) const;
    void note(const std::string& text) { store_.oracle.note(name_ + ": " + text); }

    ClientWorld& world_;
    StoreModel& store_;
    const std::string name_, principal_;
    int requests_ = 0, open_calls_ = 0;
    std::vector<TaskPtr> tasks_;
};

}  // namespace tenon::test
