// CheckRun: runs the checker in the background, on connections of its own. Thread-safe.
#pragma once

#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include <tenon/inspect.hpp>

#include "inspect/recorder.hpp"

namespace tenon::inspect {

class CheckRun {
 public:
    CheckRun(const Options& options, Recorder& recorder) : options_(options), recorder_(recorder) {}
    ~CheckRun();  ///< stops the check and waits for its thread

    /// Starts a check. The report repeats `era`, which is what the user chose for the connection. Throws Refusal while
    /// another check runs.
    void start(check::Options check, Era era);
    void stop();
    /// Returns the last report: {"report", "html", "era"}. Throws Refusal before the first one.
    json::object report() const;

 private:
    void run(check::Options check, Era era);

    const Options& options_;
    Recorder& recorder_;
    mutable std::mutex mutex_;  // guards the members below
    std::jthread thread_;
    bool running_ = false;
    std::optional<ReportTexts> texts_;
    Era era_ = Era::automatic;  // of texts_
};

/// Returns a rule as the API describes it. Throws Refusal for an unknown id.
json::object rule_json(std::string_view id);

}  // namespace tenon::inspect
