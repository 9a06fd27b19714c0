// LiveJudge: judges single messages of a running server by the checker's rules, for an inspector. Unlike Judge, it does
// not drive the conversation: it only sees the messages of another client. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "check/server/judge.hpp"

namespace tenon::check {

/// What is wrong with a message.
struct LiveVerdict {
    const Rule* rule = nullptr;
    std::string detail;
};

/// Judges the messages that one server sends on one connection. Not thread-safe.
class LiveJudge {
 public:
    /// `stdio`: messages are lines, so text that is not a message breaks a rule of stdio.
    explicit LiveJudge(bool stdio) : stdio_(stdio) {}

    /// The request that a response answers, as far as it is known.
    struct Request {
        std::string method = {};
        json::object params = {};
        std::string id = {};      ///< as JSON
        std::size_t answers = 0;  ///< responses so far, with this one
    };
    /// Judges a message. `request` is null for a message that answers no known request. Returns null for a message that
    /// breaks no rule. The verdict is valid until the next call.
    const LiveVerdict* judge(std::string_view text, const Reading& reading, const Request* request);

 private:
    void judge_text(Charges& charges, std::string_view text, const Reading& reading) const;
    void judge_message(Charges& charges, const json::value& value, const Request* request);
    void judge_call(Charges& charges, const json::object& message);
    void judge_response(Charges& charges, const json::object& message, const Request* request);
    void judge_error(Charges& charges, const json::value& error) const;
    void learn(const json::object& result, std::string_view method);

    static constexpr std::size_t max_ids = 10'000;  // of requests of the server; then the check for repeated ids ends

    const bool stdio_;
    std::optional<protocol::Rules> rules_;  // known after the introduction
    std::set<std::string_view> absent_;     // rules that the revision does not have
    std::set<std::string> request_ids_;
    std::map<std::string, Tally, std::less<>> tallies_;  // Charges needs it; not read
    LiveVerdict verdict_;
};

}  // namespace tenon::check
