// Checks the tokens of many requests at once: a TokenGate behind a lock, and the queue of requests whose token cannot
// be checked yet.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tenon/log.hpp>

#include "auth/resource_server/token_gate.hpp"

namespace tenon {

/// Thread-safe. Calls no callback while it holds its lock.
class SharedTokenGate : public std::enable_shared_from_this<SharedTokenGate> {
 public:
    using Fetched = std::function<void(Result<std::string> body)>;
    struct Options {
        /// Fetches a document and passes it to the callback once, at any time and on any thread. Never calls back after
        /// the server was stopped.
        std::function<void(auth::FetchOrder, Fetched)> fetch = {};
        std::function<auth::Now()> clock = {};
        LogSink note = {};
    };
    SharedTokenGate(std::unique_ptr<auth::TokenGate> gate, Options options);

    using Outcome = std::variant<auth::CallerPtr, web::Response>;
    /// Returns the caller, or a refusal. Returns nullopt while the token cannot be checked; then `retry` is called
    /// once, on any thread, when the caller should try again.
    std::optional<Outcome> admit(const framing::HttpRequest& head, const std::function<void()>& retry);

    const auth::TokenGate& gate() const { return *gate_; }

 private:
    using Waiting = std::vector<std::function<void()>>;

    auth::TokenCheck check(const auth::PresentedToken& token, const std::function<void()>& retry);
    auth::Step locked_step(const std::function<void()>& retry, const std::function<auth::Step(const auth::Now&)>& take);
    auth::Step queue(const auth::WaitFor& wait, const std::function<void()>& retry);
    void fetch(std::vector<auth::FetchOrder> orders);
    void fetched(const std::string& what, const std::string& url, Result<std::string> body);
    void warn(const std::string& why);

    const Options options_;
    std::mutex mutex_;  // guards the members below; const functions of the gate need no lock
    const std::unique_ptr<auth::TokenGate> gate_;
    std::map<std::string, Waiting> waiting_;  // by the name of the fetch that they wait for
    std::size_t waiting_count_ = 0;
    std::optional<TimePoint> warned_;
};

}  // namespace tenon
