// The record of a client's call, for observers.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/client/action.hpp"
#include "runtime/observers.hpp"

namespace tenon {

/// One call, from its start to its end. Does nothing without observers. Copies are the same call. Not thread-safe.
class ClientOperation {
 public:
    /// Where a call goes to, and who makes it.
    struct Ends {
        Implementation client = {};
        std::string_view transport = {};
        LogNote note = {};
    };
    /// `observers` may be null. Puts the span of the call into `call.meta`.
    ClientOperation(std::shared_ptr<const Observers> observers, std::shared_ptr<const Ends> ends,
                    core::ClientCall& call);

    /// Returns the error of the call if it must not be made, because the audit cannot be written.
    std::optional<Error> refused() const;
    void end(const Result<json::value>& outcome) const;

 private:
    struct State {
        std::string method, name, parent;
        json::object params;
        TraceContext trace;
        std::chrono::system_clock::time_point began;
        TimePoint start;
        std::shared_ptr<core::CallFacts> facts;
    };
    std::shared_ptr<const Observers> observers_;
    std::shared_ptr<const Ends> ends_;
    std::shared_ptr<const State> state_;  // null: the call is not observed
};

/// One question of the server, while a handler of the client answers it. Its record has the side of the receiver, which
/// is `server`. Does nothing without observers.
class AnsweredQuestion {
 public:
    /// `observers` may be null.
    AnsweredQuestion(std::shared_ptr<const Observers> observers, std::shared_ptr<const ClientOperation::Ends> ends)
        : observers_(std::move(observers)), ends_(std::move(ends)), start_(observers_ ? Clock::now() : TimePoint()) {}
    void end(const core::Ask& question, const Result<core::AskAnswer>& answer) const;

 private:
    const std::shared_ptr<const Observers> observers_;
    const std::shared_ptr<const ClientOperation::Ends> ends_;
    const TimePoint start_;
};

}  // namespace tenon
