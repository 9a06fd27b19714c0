// Questions: what a server asks its client, answered by the user on the page. Thread-safe.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <tenon/client_options.hpp>
#include <tenon/inspect.hpp>

#include "inspect/consent_desk.hpp"
#include "inspect/refusal.hpp"

namespace tenon::inspect {

class Questions {
 public:
    Questions(const Options& options, Permissions& permissions, Recorder& recorder);

    /// The server that asks.
    struct Asker {
        std::string label;     ///< to show
        std::string identity;  ///< for decisions
    };
    // Wait for the user. Called on worker threads of a client.
    ElicitResult form(const Asker& asker, const ElicitRequest& request, const std::stop_token& stop);
    ElicitResult page(const Asker& asker, const ElicitUrlRequest& request, const std::stop_token& stop);
    SampleResult sample(const Asker& asker, const SampleRequest& request, const std::stop_token& stop);
    std::vector<Root> share_roots(const Asker& asker, const std::stop_token& stop);

    /// Answers a question, as the API describes it. Throws Refusal.
    void answer(const json::object& answer);
    /// Runs the sampler on a sampling question, and returns its result. Throws Refusal.
    json::object run_sampler(const std::string& question, const std::stop_token& stop);
    /// Returns the data of the events of all open questions.
    json::array open() const;

    std::vector<Root> roots() const;
    /// Throws Refusal for a root that is not a file: URI.
    void set_roots(const json::array& roots);

 private:
    struct Open {
        json::object data;
        std::optional<SampleRequest> sampling = {};
        std::optional<json::object> answer = {};
    };
    /// Shows the question and waits. Empty: it is no longer needed, or too many are open.
    std::optional<json::object> ask(Open question, const std::stop_token& stop);
    void decide_about(const json::object& answer, const json::object& data);

    static constexpr std::size_t max_open = 64;
    static constexpr std::size_t max_roots = 100;

    const Options& options_;
    Permissions& permissions_;
    Recorder& recorder_;
    mutable std::mutex mutex_;  // guards the members below
    std::condition_variable_any answered_;
    std::map<std::string, Open> open_;
    std::uint64_t next_ = 1;
    std::vector<Root> roots_;
};

/// Returns violations as the API describes them.
json::array violations_json(const json::value& schema, const json::value& value, std::string_view root);

}  // namespace tenon::inspect
