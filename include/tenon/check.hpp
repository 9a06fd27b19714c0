// The checker: tests any server or client, in any language, against the rules of the protocol. It sees only messages.
//
//     tenon::check::Report report = tenon::check::check_server({.target = {.command = {"node", "server.js"}}});
//     for (const auto& finding : report.findings)
//         if (finding.outcome == tenon::check::Outcome::fail) std::cerr << finding.rule->id << ": " << finding.detail;
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/limits.hpp>

namespace tenon::check {

/// How binding a rule is. A violated `must` is a failure, everything else is a warning.
enum class Level {
    must,    ///< the text says MUST, or JSON-RPC, the schema or an RFC requires it
    should,  ///< the text says SHOULD, or describes it without one of these words
    advice,  ///< the text says nothing, but other programs need it
    none,    ///< this revision does not have the rule
};
enum class Severity { critical, high, medium, low };
enum class Side { server, client };  ///< the side that has to follow the rule
enum class Outcome { pass, fail, warning, not_applicable };

/// Return the word for reports: "critical", "must", "not applicable", ...
std::string_view to_string(Level level);
std::string_view to_string(Severity severity);
std::string_view to_string(Side side);
std::string_view to_string(Outcome outcome);

/// The revisions that rules may differ in, oldest first.
inline constexpr std::size_t revision_count = 5;
inline constexpr std::array<std::string_view, revision_count> revision_names = {
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

/// What one revision of the specification says about a rule.
struct Clause {
    std::string_view revision = {};  ///< "2025-11-25"
    Level level = Level::none;
    std::string_view page = {};    ///< "basic/lifecycle", or the URL of another document
    std::string_view anchor = {};  ///< the section of the page: "initialization"; may be empty
    /// Returns the URL of the section.
    std::string source() const;
};
using Clauses = std::array<Clause, revision_count>;  ///< one per revision, oldest first

/// One rule of the catalogue. The part of `id` before the dot names a requirement ("RPC-4"), the part after it one
/// aspect of that requirement ("RPC-4.same-id").
struct Rule {
    std::string_view id;
    std::string_view title;  ///< one line: the correct behaviour
    Side side = Side::server;
    Severity severity = Severity::high;
    Clauses clauses = {};
    std::string_view text;    ///< the requirement, and why it matters
    std::string_view remedy;  ///< how to fix a failure
    std::string_view right;   ///< example of correct messages or headers
    std::string_view wrong;   ///< the same example, broken

    /// Returns what this revision says. For an unknown or empty revision: what the newest revision with the rule says.
    const Clause& clause(std::string_view revision = {}) const;
};

/// Returns all rules in the order of reports. Valid until the program ends.
std::span<const Rule> catalogue();
/// Finds a rule by its id, ignoring case. Returns nullptr for an unknown id.
const Rule* find_rule(std::string_view id);
/// Returns whether Options::only selects a rule: it is empty, or has the rule's id or its beginning, ignoring case. A
/// number is never cut: "HTTP-1" selects HTTP-1.accept but not HTTP-10.delete.
bool is_selected(std::string_view id, const std::vector<std::string>& only);

/// Bytes from the wire, or a note about an event.
struct Evidence {
    /// A note describes an event: "the process exited with status 1".
    enum class Direction { sent, received, note };
    Direction direction = Direction::sent;
    std::string bytes;         ///< unchanged; at most Options::max_evidence_bytes
    std::size_t left_out = 0;  ///< number of bytes cut off
};

/// The result of checking one rule in one revision.
struct Finding {
    const Rule* rule = nullptr;
    Outcome outcome = Outcome::pass;
    std::string revision;  ///< "2025-11-25"; empty when the rule does not depend on the revision
    std::string detail;    ///< what happened, or why the rule does not apply
    std::vector<Evidence> evidence = {};
    std::size_t cases = 1;            ///< number of tries
    std::string counterexample = {};  ///< for rules tested with generated cases: the smallest failing case
    bool of_sdk = false;              ///< other servers with Report::sdk do the same
};

/// The audit "jsonrpc-messages": counts over all messages that the server sent during the check.
struct Audit {
    std::size_t handlers = 0;            ///< methods that were requested
    std::size_t deviating_handlers = 0;  ///< methods with at least one malformed response
    std::size_t messages = 0;            ///< sent by the server
    std::size_t deviations = 0;          ///< malformed messages
    std::string first_offence = {};      ///< the first malformed message; empty when all were correct
    std::string detail = {};             ///< what is wrong with it
    std::string remedy = {};
    bool passed() const { return deviations == 0; }
};

/// The results of a check.
struct Report {
    std::string target;                   ///< the URL, or the command
    std::string transport;                ///< "stdio", "http", or "sse" for HTTP+SSE of 2024-11-05
    std::string name = {}, version = {};  ///< as the server or client claims
    /// The SDK of a server: "@modelcontextprotocol/sdk 1.x". Known only from messages that no other SDK writes, so it
    /// is empty for most servers.
    std::string sdk = {};
    std::vector<std::string> revisions = {};  ///< checked revisions, newest first
    std::vector<Finding> findings = {};       ///< in the order of the catalogue, then newest revision first
    std::optional<Audit> audit = {};          ///< for servers only
    std::uint64_t seed = 0;                   ///< pass it as --seed to repeat the generated cases
    Duration took = {};
    /// Why the check is incomplete: the server did not start, or the time ran out. Empty when it is complete.
    std::string incomplete = {};

    std::size_t count(Outcome outcome) const;
};

/// The program to check: a command or a URL.
struct Target {
    std::vector<std::string> command = {};                          ///< started once per connection; uses stdio
    std::map<std::string, std::string> environment = {};            ///< added to HOME, PATH and similar variables
    std::string directory = {};                                     ///< working directory of the command
    std::string url = {};                                           ///< http:// or https://
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< sent with every HTTP request
};

/// What to check, and how thoroughly.
struct Options {
    Target target = {};
    bool all_revisions = false;  ///< check every revision of the server, not only its newest
    bool security = false;       ///< also send attacks
    /// Tools and prompts may have side effects, and the server's hints may be wrong. So by default no tool gets valid
    /// arguments, and no prompt is run. These options allow more.
    bool allow_writes = false;                        ///< call every tool, and run every prompt
    bool trust_hints = false;                         ///< call tools with readOnlyHint
    std::vector<std::string> call = {};               ///< call these tools, run these prompts
    std::vector<std::string> skip = {};               ///< never call these, not even without arguments
    std::size_t cases = 1000;                         ///< generated cases per property
    std::uint64_t seed = 0;                           ///< seed of the generated cases; 0: random
    Duration time = std::chrono::minutes(5);          ///< limit for the whole check; the report lists the skipped rules
    Duration answer_time = std::chrono::seconds(60);  ///< limit for one response; a missing one is a finding
    std::size_t max_evidence_bytes = 4096;            ///< kept of each message
    std::vector<std::string> only = {};  ///< rule ids or their beginnings ("rpc", "HTTP-4"); empty: all rules
    /// For check_client(): the command that replaces "{server}" in the client's command. The checker appends one
    /// argument; the program must pass it to relay().
    std::vector<std::string> relay = {};
    /// Receives progress, often, on the thread that checks.
    std::function<void(std::string_view what, std::size_t done, std::size_t of)> progress = {};
    std::stop_token stop = {};  ///< stops the check early
};

/// Checks a server and returns when done. Several threads may call it at once, for different targets. The behaviour of
/// the server never makes it throw.
Report check_server(const Options& options);
/// Checks a client by acting as its server. Starts `target.command` once per scenario. In the command, "{url}" is
/// replaced by the server's URL, and "{server}" by Options::relay, which the client starts as a stdio server.
Report check_client(const Options& options);
/// Connects the standard streams of this process to the checker. Call it from main() of the program in Options::relay.
/// Returns the exit status.
int relay(const std::string& socket);

/// Returns the steps of check_server(), one line per step. Only connects to the server and lists what it offers.
std::vector<std::string> plan(const Options& options);

}  // namespace tenon::check
