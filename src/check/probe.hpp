// Probe: what a check has to work with: conversations in the revision at hand, and what the server said it has.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/judge.hpp"

namespace tenon::check {

/// What a check found. A failure of a rule that is a SHOULD becomes a warning.
struct Verdict {
    enum class Kind { pass, fail, not_applicable, judged };  ///< judged: the judge of every message knows
    Kind kind = Kind::pass;
    std::string detail = {};
    std::size_t cases = 1;                ///< that were tried
    std::string counterexample = {};      ///< of a property: the smallest case that fails
    std::vector<Evidence> evidence = {};  ///< instead of all that was said meanwhile, when there is some
};

inline Verdict pass(std::string detail = {}) { return {Verdict::Kind::pass, std::move(detail)}; }
inline Verdict fail(std::string detail) { return {Verdict::Kind::fail, std::move(detail)}; }
inline Verdict not_applicable(std::string why) { return {Verdict::Kind::not_applicable, std::move(why)}; }
inline Verdict judged() { return {Verdict::Kind::judged}; }

/// A call of a tool with good arguments, and its answer.
struct Call {
    const json::object* tool;
    Answer answer;
};

/// A list that the server has, fetched once, all pages of it.
struct Listing {
    std::vector<json::object> entries = {};
    std::size_t pages = 0;
    std::string why = {};  ///< it could not be fetched
    bool endless = false;  ///< a cursor came a second time, or there were too many pages
    const json::object* find(std::string_view name) const;
};

class Probe {
 public:
    Probe(Subject& subject, protocol::Rules rules, Judge& judge);

    /// The conversation that all share who leave no trace in it. A new one when the last is gone.
    Conversation& talk();
    /// One of its own, introduced; why() says when that failed.
    std::unique_ptr<Conversation> fresh();
    /// One that has said nothing yet.
    std::unique_ptr<Conversation> silent();
    /// The same, which nobody judges by the way: for cases that are judged as a whole. Introduced.
    std::unique_ptr<Conversation> unjudged();

    const protocol::Rules& rules() const { return rules_; }
    bool has(protocol::Trait trait) const { return rules_.has(trait); }
    Judge& judge() { return judge_; }
    /// A part of this rule ("RPC-7"), or one of these rules ("RPC"), has failed already.
    std::function<bool(std::string_view rule)> has_failed = [](std::string_view) { return false; };
    Subject& subject() { return subject_; }
    bool http() const { return subject_.http(); }
    /// Empty when the server did not introduce itself.
    const json::object& introduction();
    /// "tools", or "resources" with the flag "subscribe".
    bool declares(std::string_view capability, std::string_view flag = {});

    const Listing& tools() { return list(tools_, "tools", "tools/list", "tools"); }
    const Listing& resources() { return list(resources_, "resources", "resources/list", "resources"); }
    const Listing& templates() {
        return list(templates_, "resources", "resources/templates/list", "resourceTemplates");
    }
    const Listing& prompts() { return list(prompts_, "prompts", "prompts/list", "prompts"); }
    /// A tool that says it only reads, or any with --allow-writes: it may be called.
    std::vector<const json::object*> callable_tools();

    /// Tools that may be called, called: at most five, each once.
    const std::vector<Call>& calls();

    /// A request that is answered, with the shared conversation.
    Answer ask(std::string_view method, json::object params = {}) { return talk().ask(method, std::move(params)); }

    /// Over stdio: it ends when its input does, as far as is known.
    bool exits = true;

 private:
    std::unique_ptr<Conversation> with(Listener* listener);
    web::OwnFields mirrored(const json::object& call) const;
    const Listing& list(std::optional<Listing>& where, std::string_view capability, std::string_view method,
                        std::string_view member);

    Subject& subject_;
    protocol::Rules rules_;
    Judge& judge_;
    std::unique_ptr<Conversation> talk_;
    json::object introduction_;
    std::optional<Listing> tools_, resources_, templates_, prompts_;
    std::optional<std::vector<Call>> calls_;
};

/// A check of one rule. `run` is null where the judge of every message is enough.
struct Check {
    enum Where : unsigned { anywhere = 0, stdio = 1, http = 2, handshake = 4, modern = 8, security = 16 };
    std::string_view rule;
    unsigned where = anywhere;
    Verdict (*run)(Probe&) = nullptr;
    std::string_view capability = {};  ///< that the server must have declared
};

/// All of them, a group a file.
std::vector<Check> all_checks();
std::span<const Check> rpc_checks();
std::span<const Check> integrity_checks();
std::span<const Check> lifecycle_checks();
std::span<const Check> modern_checks();
std::span<const Check> tool_checks();
std::span<const Check> resource_checks();
std::span<const Check> prompt_checks();
std::span<const Check> stdio_checks();
std::span<const Check> http_checks();
std::span<const Check> session_checks();
std::span<const Check> security_checks();
std::span<const Check> property_checks();  ///< last: what was found before is not found again

// ---- the words of verdicts

/// An error, of one of these codes; any when there are none.
Verdict expect_error(const Answer& answer, std::vector<int> codes = {});
Verdict expect_result(const Answer& answer);
/// Whether the conversation still works: the probe before it did not break it.
Verdict expect_alive(Conversation& talk, std::string_view after);
/// "-32602" or "-32602 or -32600".
std::string names_of(const std::vector<int>& codes);
/// The first of some verdicts that is no pass.
Verdict first_bad(std::initializer_list<Verdict> verdicts);

}  // namespace tenon::check
