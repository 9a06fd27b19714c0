// Judge: checks every message against the rules that hold for all messages. Only the first rule that a message breaks
// is charged, so one defect is one failure.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/server/sdk.hpp"
#include "check/wire/conversation.hpp"

namespace tenon::check {

/// The counts of one rule.
struct Tally {
    std::size_t cases = 0, failures = 0;
    std::string detail = {};  ///< of the first failure
    std::vector<Evidence> evidence = {};
};

/// Judges one message: records at most one broken rule.
class Charges {
 public:
    /// `absent`: the rules that the revision does not have. They are never charged.
    Charges(std::map<std::string, Tally, std::less<>>& tallies, const std::set<std::string_view>& absent)
        : tallies_(tallies), absent_(absent) {}

    /// Counts a case of the rule, and a failure when `holds` is false. Does nothing when the message has already broken
    /// another rule. Returns `holds`.
    template <class Detail>
    bool must(std::string_view rule, bool holds, const Detail& detail) {
        if (!broken_.empty() || absent_.contains(rule)) return holds;
        Tally& tally = at(rule);
        ++tally.cases;
        if (!holds) charge(tally, rule, text_of(detail));
        return holds;
    }
    const std::string& broken() const { return broken_; }
    const std::string& detail() const { return detail_; }

 private:
    static std::string text_of(std::string_view text) { return std::string(text); }
    static std::string text_of(const std::function<std::string()>& text) { return text(); }
    Tally& at(std::string_view rule);
    void charge(Tally& tally, std::string_view rule, std::string detail);

    std::map<std::string, Tally, std::less<>>& tallies_;
    const std::set<std::string_view>& absent_;
    std::string broken_, detail_;
};

class Judge final : public MessageObserver {
 public:
    Judge(const Transcript& transcript, const protocol::Rules& rules);

    std::string received(const Received& received, const Sent* sent, const Conversation& talk) override;
    void ended(const Exchange& exchange, const Sent* sent, const Conversation& talk) override;

    const std::map<std::string, Tally, std::less<>>& tallies() const { return tallies_; }
    bool charged(std::string_view rule) const;
    const SdkSigns& sdk_signs() const { return sdk_signs_; }
    /// Returns the audit of all messages.
    const Audit& audit() const { return audit_; }

    /// During its lifetime, charges to the rule `general` go to the rule `probed` instead.
    class Instead {
     public:
        Instead(Judge& judge, std::string_view general, std::string_view probed);
        ~Instead();
        Instead(const Instead&) = delete;
        Instead& operator=(const Instead&) = delete;

     private:
        Judge& judge_;
        std::string general_;
    };

 private:
    friend class Instead;
    std::string_view rule(std::string_view general) const;
    void judge_text(Charges& charges, const Received& received, bool http);
    void judge_envelope(Charges& charges, const Received& received, const Sent* sent, const Conversation& talk);
    void judge_response(Charges& charges, const Received& received, const Sent* sent, const Conversation& talk);
    void judge_id(Charges& charges, const Received& received, const Sent* sent, const Conversation& talk);
    void judge_error(Charges& charges, const json::value& error, const Sent* sent, const Conversation& talk);
    void judge_call(Charges& charges, const Received& received, const Conversation& talk);
    void judge_notification(Charges& charges, const json::object& message, const Conversation& talk,
                            const Received& received);
    void judge_progress(Charges& charges, const json::object& params, const Conversation& talk);
    void judge_place(Charges& charges, const Received& received, const Conversation& talk);
    void count(const Charges& charges, const Received& received, const Sent* sent);
    void keep_evidence(const Charges& charges, const Received& received, const Sent* sent, const Conversation& talk);
    void keep_trigger(Tally& tally, const Sent* sent, const Exchange* exchange, const Conversation& talk) const;

    const Transcript& transcript_;
    SdkSigns sdk_signs_;
    std::set<std::string_view> absent_;  // rules that this revision does not have
    std::map<std::string, Tally, std::less<>> tallies_;
    std::map<std::string, std::string, std::less<>> instead_;
    std::map<std::string, double, std::less<>> progress_;                   // last value by conversation and token
    std::map<std::size_t, std::set<std::string>> event_ids_, request_ids_;  // for each conversation
    std::set<std::string> asked_methods_, bad_methods_;
    Audit audit_;
};

}  // namespace tenon::check
