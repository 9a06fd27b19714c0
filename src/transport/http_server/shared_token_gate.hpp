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
#include "transport/http_server/cluster_node.hpp"
#include "transport/http_server/fair_fetches.hpp"
#include "transport/http_server/waiting_requests.hpp"

namespace tenon {

/// Thread-safe. Calls no callback while it holds its lock.
class SharedTokenGate : public std::enable_shared_from_this<SharedTokenGate> {
 public:
    static constexpr std::size_t max_fetches = 16;             ///< at once
    static constexpr std::chrono::seconds max_answer_age{20};  ///< of an answer about a proof that no request took
    /// Added to the time for which proofs are claimed: the clocks of two nodes may differ so much.
    static constexpr std::chrono::minutes clock_skew{1};
    using Fetched = std::function<void(Result<std::string> body)>;
    using Claimed = std::function<void(Result<bool>)>;
    using Claim = std::function<void(const std::string& proof, std::chrono::milliseconds time, Claimed done)>;
    struct Options {
        /// Fetches a document and passes it to the callback once, at any time and on any thread. Never calls back after
        /// the server was stopped.
        std::function<void(auth::FetchOrder, Fetched)> fetch = {};
        std::function<auth::Now()> clock = {};
        LogNote note = {};
        /// Claims a DPoP proof for this node, for this time. Passes true if no node has claimed it before. Answers
        /// once, also inside the call. Empty: only this process remembers proofs.
        Claim claim = {};
    };
    SharedTokenGate(std::unique_ptr<auth::TokenGate> gate, Options options);

    using Outcome = std::variant<auth::CallerPtr, web::Response>;
    /// Returns the caller, or a refusal. Returns nullopt while the token or its proof cannot be checked; then `retry`
    /// is called once, on any thread, when the caller should try again. `network` is the client's address, see
    /// network_of(): when too many requests wait, the network with the most is refused first.
    std::optional<Outcome> admit(const framing::HttpRequest& head, const std::function<void()>& retry,
                                 const std::string& network = {});

    /// Returns the token of a request, or a refusal. Does not use up a proof of possession. nullopt and `retry`: see
    /// admit().
    struct Verified {
        auth::Credentials credentials;
        auth::Token token;
    };
    using Verdict = std::variant<Verified, web::Response>;
    std::optional<Verdict> verify(const framing::HttpRequest& head, const std::function<void()>& retry,
                                  const std::string& network);

    const auth::TokenGate& gate() const { return *gate_; }

 private:
    using Retry = WaitingRequests::Retry;
    /// The request whose token is being checked.
    struct Asker {
        const std::string& network;
        const Retry& retry;
    };

    auth::TokenCheck check(auth::PresentedToken token, const Asker& asker);
    auth::Step locked_step(const Asker& asker, const std::function<auth::Step(const auth::Now&)>& take);
    void fetch(std::vector<auth::FetchOrder> orders);
    void fetched(const std::string& what, const std::string& url, Result<std::string> body);
    void warn(const std::string& why);
    auth::ReplayCache::Seen see(const auth::Proof& proof, WallTime now, const Asker& asker, bool& waits);
    void claimed(const std::string& id, const Result<bool>& first);
    std::optional<auth::ReplayCache::Seen> take_answer(const std::string& id);  // under the lock

    const Options options_;
    std::mutex mutex_;  // guards the members below; const functions of the gate need no lock
    const std::unique_ptr<auth::TokenGate> gate_;
    WaitingRequests waiting_;
    std::optional<TimePoint> warned_;
    FairFetches fetches_{max_fetches};
    struct Answer {
        auth::ReplayCache::Seen seen;
        TimePoint when;
    };
    std::map<std::string, Answer> answers_;  // about proofs, for the requests that wait for them; as many as may wait
};

/// Returns a function that claims proofs in the store of a node.
SharedTokenGate::Claim claim_with(std::shared_ptr<ClusterNode> node);

}  // namespace tenon
