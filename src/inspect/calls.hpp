// Calls: requests that the user makes on the page. Each gets consent if it needs it, runs, and ends with an event.
// Thread-safe.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "inspect/consent_desk.hpp"
#include "inspect/session.hpp"
#include "io/worker_pool.hpp"

namespace tenon::inspect {

/// What to call.
struct CallPlan {
    std::string kind;  ///< "tool", "resource", "prompt", "raw", "task", "app"
    std::string name;  ///< to show: the tool, the URI, the prompt or the method
    std::string method = {};
    json::object params = {};
    bool task = false;  ///< ask the server to make a task of it
    std::optional<Duration> timeout = {};
    std::string_view by = "you";
    /// Runs on a pool thread after the end, before the event. May add members to its data. Gets null when the call
    /// failed.
    std::function<void(const json::value* result, json::object& data)> then = {};
};

class Calls {
 public:
    Calls(Session& session, ConsentDesk& desk, Recorder& recorder, io::WorkerPool& pool);
    ~Calls();

    /// Starts a call, or asks for consent first. Returns {"call", "consent"}. May wait for the list of tools. Throws
    /// Refusal.
    json::object start(CallPlan plan);
    /// Runs `work` as a call that needs no consent. `work` runs on a pool thread and may wait; it may throw.
    json::object start_work(CallPlan plan,
                            std::function<json::value(Link&, const CallOptions&, json::object& data)> work);
    /// Returns whether the call was still running.
    bool cancel(const std::string& id);
    void cancel_all();
    /// Returns the data of the last event of a call. Throws Refusal.
    json::object outcome(const std::string& id) const;
    /// Returns the arguments of a call of a tool that has ended. Throws Refusal.
    json::object arguments_of(const std::string& id) const;
    /// Returns the open calls, for the status.
    json::array open() const;

    /// Called with the task that a call has become.
    std::function<void(Link&, const ClientTask&, const std::string& tool, const std::string& call)> on_task = {};

 private:
    struct Call;
    struct Outcome {
        std::string id;
        std::string data;  // as JSON
        std::string arguments;
    };
    const Outcome& find_outcome(const std::string& id) const;
    using CallPtr = std::shared_ptr<Call>;
    CallPtr add(CallPlan plan, std::shared_ptr<Link> link);
    std::optional<ConsentDesk::Request> needed_consent(Call& call);
    void run(const CallPtr& call);
    void run_task(const CallPtr& call);
    CallOptions options_of(const CallPtr& call);
    void post(const CallPtr& call, std::function<void()> work);
    void finish(const CallPtr& call, Result<json::value> result, json::object data = {});

    static constexpr std::size_t max_open = 64;
    static constexpr std::size_t max_outcomes = 50;
    static constexpr std::size_t max_outcome_bytes = 32 * 1024 * 1024;

    Session& session_;
    ConsentDesk& desk_;
    Recorder& recorder_;
    io::WorkerPool& pool_;
    mutable std::mutex mutex_;  // guards the members below
    std::map<std::string, CallPtr> open_;
    std::deque<Outcome> outcomes_;  // the oldest first
    std::size_t outcome_bytes_ = 0;
    std::uint64_t next_ = 1;
};

}  // namespace tenon::inspect
