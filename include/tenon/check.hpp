// The checker: proves or refutes the rules of the protocol on any server or client, in any language, by what it says.
//
//     tenon::check::Report report = tenon::check::check_server({.target = {.command = {"node", "server.js"}}});
//     for (const auto& finding : report.findings)
//         if (finding.outcome == tenon::check::Outcome::fail) std::cerr << finding.rule->id << ": " << finding.detail;
#pragma once

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

enum class Level { must, should };  ///< a broken MUST is a failure, a broken SHOULD a warning
enum class Severity { critical, high, medium, low };
enum class Side { server, client };  ///< who has to obey
enum class Outcome { pass, fail, warning, not_applicable };

/// "critical", "must", "not applicable", ...
std::string_view to_string(Level level);
std::string_view to_string(Severity severity);
std::string_view to_string(Side side);
std::string_view to_string(Outcome outcome);

/// One row of the catalogue. What is before the dot of `id` names a requirement of the rule catalogue ("RPC-4"), what
/// is after it the part of it that this row is about ("RPC-4.same-id").
struct Rule {
    std::string_view id;
    std::string_view title;  ///< a line: what the server does when it is right
    Side side = Side::server;
    Level level = Level::must;
    Severity severity = Severity::high;
    std::string_view text;    ///< what is required, and why it matters
    std::string_view source;  ///< the page of the specification: "basic/lifecycle#initialization"
    std::string_view remedy;  ///< what to do when it fails
    std::string_view right;   ///< an example of messages or headers
    std::string_view wrong;   ///< the same, broken
};

/// All rules, in the order in which reports show them. Valid for ever.
std::span<const Rule> catalogue();
/// By its id, in any case; nullptr when there is none.
const Rule* find_rule(std::string_view id);

/// Bytes that went over the wire.
struct Evidence {
    enum class Direction {
        sent,
        received,
        note
    };  ///< note: what happened, in words: "the process exited with status 1"
    Direction direction = Direction::sent;
    std::string bytes;         ///< as they were; at most Options::max_evidence_bytes of them
    std::size_t left_out = 0;  ///< bytes that were too many
};

struct Finding {
    const Rule* rule = nullptr;
    Outcome outcome = Outcome::pass;
    std::string revision;  ///< "2025-11-25"; empty when the rule is about none
    std::string detail;    ///< what was seen; why it does not apply
    std::vector<Evidence> evidence = {};
    std::size_t cases = 1;            ///< how often it was tried
    std::string counterexample = {};  ///< of a property: the smallest case that fails
};

/// The audit "jsonrpc-messages" of everything that the server sent during the check.
struct Audit {
    std::size_t handlers = 0;            ///< methods that were asked for
    std::size_t deviating_handlers = 0;  ///< of them, those with an answer that is not as it must be
    std::size_t messages = 0;            ///< that the server sent
    std::size_t deviations = 0;          ///< of them, those that are not as they must be
    std::string first_offence = {};      ///< the first such message; empty when there is none
    std::string detail = {};             ///< what is wrong with it
    std::string remedy = {};
    bool passed() const { return deviations == 0; }
};

struct Report {
    std::string target;                       ///< the URL, or the command
    std::string transport;                    ///< "stdio", "http"
    std::string name, version;                ///< what the server, or the client, calls itself
    std::vector<std::string> revisions = {};  ///< that were checked, newest first
    std::vector<Finding> findings = {};       ///< in the order of the catalogue, then newest revision first
    std::optional<Audit> audit = {};          ///< of servers
    std::uint64_t seed = 0;                   ///< --seed that repeats the generated cases
    Duration took = {};
    /// The check could not be done, or not to its end: the server could not be started, the time was over.
    std::string incomplete = {};

    std::size_t count(Outcome outcome) const;
};

/// Who is checked: one of the two.
struct Target {
    std::vector<std::string> command = {};                          ///< started for each connection, spoken to by stdio
    std::map<std::string, std::string> environment = {};            ///< on top of HOME, PATH and the like
    std::string directory = {};                                     ///< to start it in
    std::string url = {};                                           ///< http:// or https://
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< sent with every HTTP request
};

struct Options {
    Target target = {};
    bool all_revisions = false;                       ///< every revision that the server speaks, not only its newest
    bool security = false;                            ///< also probe what an attacker would try
    bool allow_writes = false;                        ///< call tools that do not say they only read, too
    std::size_t cases = 1000;                         ///< of each property
    std::uint64_t seed = 0;                           ///< of the generated cases; 0: a new one
    Duration time = std::chrono::minutes(5);          ///< for everything; what was not tried by then is said
    Duration answer_time = std::chrono::seconds(10);  ///< for one answer; none by then is a finding
    std::size_t max_evidence_bytes = 4096;            ///< of one message that is kept to be shown
    std::vector<std::string> only = {};  ///< rules, or beginnings of their ids ("RPC", "HTTP-4"); all when empty
    /// Of check_client(): the words of a program that calls relay() with the word that is added to them. A client whose
    /// words have "{server}" starts it.
    std::vector<std::string> relay = {};
    /// Tells how far it is: from the thread that checks, often.
    std::function<void(std::string_view what, std::size_t done, std::size_t of)> progress = {};
    std::stop_token stop = {};
};

/// Waits until it is done. May be called from several threads, each with a target of its own. Does not throw because of
/// what a server does.
Report check_server(const Options& options);
/// Plays the server, and judges the client that `target.command` starts: once for each thing that is tried. In its
/// words
/// "{url}" is replaced by where the server listens, "{server}" by a program that the client starts and speaks with by
/// stdio.
Report check_client(const Options& options);
/// What the program of Options::relay has to do: it passes its standard streams on to the checker. Gives its exit
/// status.
int relay(const std::string& socket);

/// What check_server() would do, a line each, without doing more than asking the server what it has.
std::vector<std::string> plan(const Options& options);

}  // namespace tenon::check
