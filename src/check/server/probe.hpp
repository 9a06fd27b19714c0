// Probe: the tools of a check: conversations in the current revision, and the server's lists and capabilities.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/server/judge.hpp"

namespace tenon::check {

/// The result of a check. A failure of a SHOULD becomes a warning.
struct Verdict {
    enum class Kind { pass, fail, not_applicable, judged };  ///< judged: the Judge has the result
    Kind kind = Kind::pass;
    std::string detail = {};
    std::size_t cases = 1;                ///< number of tries
    std::string counterexample = {};      ///< of a property: the smallest failing case
    std::vector<Evidence> evidence = {};  ///< empty: use the transcript of the check
    bool is_advice = false;  ///< a failure becomes a warning: the text does not clearly forbid what was seen
};

inline Verdict pass(std::string detail = {}) { return {Verdict::Kind::pass, std::move(detail)}; }
inline Verdict fail(std::string detail) { return {Verdict::Kind::fail, std::move(detail)}; }
/// For behaviour that looks wrong, but that the text does not clearly forbid. Use it where only the words of a response
/// could tell whether the rule is broken: no list of words is complete, and a failure must never be wrong.
inline Verdict advise(std::string detail) {
    Verdict out = fail(std::move(detail));
    out.is_advice = true;
    return out;
}
inline Verdict not_applicable(std::string why) { return {Verdict::Kind::not_applicable, std::move(why)}; }
inline Verdict judged() { return {Verdict::Kind::judged}; }
/// Returns the same verdict, with its own evidence instead of the transcript of the check.
inline Verdict with_evidence(Verdict verdict, std::vector<Evidence> evidence) {
    verdict.evidence = std::move(evidence);
    return verdict;
}

/// A tool call with valid arguments, and its response.
struct Call {
    const json::object* tool;
    Answer answer;
    std::vector<Evidence> evidence = {};
};

/// All pages of one of the server's lists.
struct Listing {
    std::vector<json::object> entries = {};
    std::size_t pages = 0;
    std::string why = {};  ///< why it could not be fetched
    bool endless = false;  ///< a cursor was repeated, or there were too many pages
    const json::object* find(std::string_view name) const;
};

/// What the server offers at one time.
struct Offer {
    std::set<std::string> tools = {}, resources = {}, prompts = {};  ///< names and URIs
    std::map<std::string, std::string> contents = {};  ///< of some resources that do not change by themselves
};

/// What changed on the server during a few calls, and the methods and URIs of the notifications about it.
struct ServerChanges {
    std::string why = {};  ///< why changes could not be seen
    Offer before = {}, after = {};
    std::set<std::string> announced = {};  ///< methods of list changes
    std::set<std::string> updated = {};    ///< URIs of updated resources
    std::set<std::string> watched = {};    ///< URIs that were subscribed to
    std::set<std::string> heard = {};      ///< the list changes that the server agreed to announce
};

class Probe {
 public:
    Probe(Subject& subject, protocol::Rules rules, Judge& judge);

    /// Returns the conversation that is shared by all harmless checks. Opens a new one when the server is gone.
    Conversation& talk();
    /// Opens a new conversation. On failure, its why() has the reason.
    std::unique_ptr<Conversation> fresh();
    /// Makes a conversation that has sent nothing yet.
    std::unique_ptr<Conversation> silent();
    /// Opens a conversation without a judge, for property cases, which are judged as a whole.
    std::unique_ptr<Conversation> unjudged();

    const protocol::Rules& rules() const { return rules_; }
    bool has(protocol::Trait trait) const { return rules_.has(trait); }
    bool is_legacy() const { return rules_.is_legacy(); }
    bool is_modern() const { return rules_.is_modern(); }
    Judge& judge() { return judge_; }
    /// Returns whether a rule with this beginning ("RPC-7", "RPC") has already failed.
    std::function<bool(std::string_view rule)> has_failed = [](std::string_view) { return false; };
    Subject& subject() { return subject_; }
    bool http() const { return subject_.http(); }
    bool stdio() const { return subject_.stdio(); }
    /// Returns the result of initialize or server/discover; empty when that failed.
    const json::object& introduction();
    /// Returns whether the server declares a capability, such as "tools", or "resources" with the flag "subscribe".
    bool declares(std::string_view capability, std::string_view flag = {});

    const Listing& tools() { return list(tools_, "tools", "tools/list", "tools"); }
    const Listing& resources() { return list(resources_, "resources", "resources/list", "resources"); }
    const Listing& templates() {
        return list(templates_, "resources", "resources/templates/list", "resourceTemplates");
    }
    const Listing& prompts() { return list(prompts_, "prompts", "prompts/list", "prompts"); }
    /// Returns the tools that may be called with valid arguments: those that the user named, those with readOnlyHint if
    /// the user trusts hints, or all if writes are allowed.
    std::vector<const json::object*> callable_tools();
    /// Returns the tools that may be called without arguments: all except those that the user excluded.
    std::vector<const json::object*> probed_tools();
    /// Returns whether the user excluded this tool or prompt.
    bool is_skipped(const json::object& entry) const;
    /// Returns the prompts that may be run with arguments: those that the user named, or all if writes are allowed. A
    /// prompt has no hint, and may have side effects.
    std::vector<const json::object*> runnable_prompts();

    /// Lists again, from the first page to the last.
    Listing fetch(Conversation& talk, std::string_view capability, std::string_view method, std::string_view member);

    /// Returns the responses of at most eight callable tools, each called once.
    const std::vector<Call>& calls();
    /// Returns what changed on the server during calls().
    const ServerChanges& changes();

    /// Sends a request in the shared conversation and waits for its response.
    Answer ask(std::string_view method, json::object params = {}) { return talk().ask(method, std::move(params)); }

    /// Returns a request that every server of this revision answers.
    std::string_view harmless() const { return is_legacy() ? "ping" : "server/discover"; }
    /// Returns a harmless request with this value in a member of its `_meta`. The text may be replaced: libraries keep
    /// unknown members of `_meta`, but not unknown members beside `params`.
    json::object with_payload(Conversation& talk, std::string_view payload);

    /// Returns the `_meta` of every request. Starts no server that has ended.
    json::object meta();

    /// Returns the response to `initialize` with this version, on a connection of its own. Asks for each version once.
    Answer negotiate(std::string_view version);
    /// Returns the conversation of the checks that send unusual `_meta`. It begins without an introduction.
    Conversation& uninitialized();

    /// The behaviour of the server when its input ends right after a request.
    struct Farewell {
        std::string why = {};  ///< why it could not be tried
        Answer answer = {};    ///< to the request
        bool exited = false, with_0 = false, cut_output = false;
        std::string how = {};
    };
    const Farewell& farewell();

    /// The answers on a connection whose first requests come before `initialize`.
    struct Early {
        Answer ping = {}, list = {}, initialize = {}, second = {};
    };
    const Early& early();

    /// Returns the messages behind the remembered results that were used since the last forget_used(): a list, early
    /// requests, a farewell. A check that sends nothing itself has no other evidence.
    std::vector<Evidence> used() const;
    void forget_used() { used_.clear(); }

    /// The connection of a property.
    struct Stage {
        std::unique_ptr<Conversation> talk = {};
        std::size_t cases = 0;
        std::vector<std::string> unclear = {};  ///< unclear messages on this connection
    };
    Stage stage = {};

 private:
    std::unique_ptr<Conversation> with(MessageObserver* listener);
    web::OwnFields mirrored(const json::object& call) const;
    void say_farewell();
    void be_early();
    void use(std::string what);
    const Listing& list(std::optional<Listing>& where, std::string_view capability, std::string_view method,
                        std::string_view member);
    std::vector<Call> call_all(Conversation& talk);
    static void call_with_capabilities(Conversation& talk, const json::object& params);

    Subject& subject_;
    protocol::Rules rules_;
    Judge& judge_;
    std::unique_ptr<Conversation> talk_;
    json::object introduction_;
    std::optional<Listing> tools_, resources_, templates_, prompts_;
    std::optional<std::vector<Call>> calls_;
    ServerChanges changes_;
    std::unique_ptr<Conversation> uninitialized_;
    // Keeps the messages that `make` exchanges as the evidence of what it remembers.
    template <class Make>
    void remember(const std::string& what, const Make& make) {
        const std::size_t mark = subject_.transcript.mark();
        make();
        remembered_[what] = subject_.transcript.since(mark);
    }

    std::optional<Farewell> farewell_;
    std::optional<Early> early_;
    std::map<std::string, std::vector<Evidence>, std::less<>> remembered_;
    std::vector<std::string> used_;  // keys of remembered_, in the order of their use
};

// ---- verdicts about responses

/// Expects an error with one of these codes; any code when empty.
Verdict expect_error(const Answer& answer, std::vector<int> codes = {});
Verdict expect_result(const Answer& answer);
/// Expects that the server has the method. An error of another kind says nothing about that.
Verdict expect_implemented(const Answer& answer, std::string_view method);
/// Returns whether an error or a failed call seems to come from a service that the server itself uses.
bool is_upstream_failure(const Answer& answer);
/// Expects that the conversation still works after a probe.
Verdict expect_alive(Conversation& talk, std::string_view after);
/// Returns text such as "-32602" or "-32602 or -32600".
std::string names_of(const std::vector<int>& codes);
/// Returns the first verdict that is not a pass, or a pass.
Verdict first_bad(std::initializer_list<Verdict> verdicts);

}  // namespace tenon::check
