#include "fleet.hpp"

#include <memory>

#include "files.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "terminal.hpp"
#include "trust.hpp"
#include "write_format.hpp"

namespace tenon::program {
namespace {

constexpr std::string_view not_allowed = "not started: it was not allowed";

/// One server of the file. Its verdict refers to its report, so it never moves.
struct Server {
    FoundEntry entry;
    std::string trouble = {};  ///< why it cannot be checked
    check::Report report = {};
    std::optional<Assessment> verdict = {};
};
using Servers = std::vector<std::unique_ptr<Server>>;

// Asks for every entry that may act and was never allowed. Nothing is started before all questions are answered.
void ask_for_all(Servers& servers, const CommandLine& line, Console& console) {
    TrustedEntries trusted;
    std::vector<Server*> unknown;
    std::string names;
    for (const auto& server : servers) {
        if (line.has("trust") || !needs_trust(server->entry) || trusted.has(server->entry)) continue;
        unknown.push_back(server.get());
        names += (names.empty() ? "" : ", ") + server->entry.name;
    }
    if (unknown.empty()) return;
    if (!has_terminal())
        throw usage_failure("these servers of " + unknown.front()->entry.file +
                                " were never allowed here, and there is no terminal to ask on: " + names,
                            "read the file, then use --trust");
    Terminal terminal(console, {});
    for (Server* server : unknown) try {
            ask_for_trust(server->entry, trusted, terminal);
        } catch (const Failure&) {
            server->trouble = not_allowed;
        }
}

void check_one(Server& server, std::size_t number, std::size_t of, check::Options options, const CheckRequest& request,
               Console& console) {
    server.report.target = server.entry.name;
    try {
        if (server.trouble.empty()) options.target = checked_target(target_of(server.entry));
    } catch (const Failure& failure) {
        server.trouble = failure.what();
    }
    if (server.trouble.empty() && options.stop.stop_requested()) server.trouble = "it was interrupted";
    if (!server.trouble.empty()) {
        server.report.incomplete = server.trouble;
        return;
    }
    const std::string who = std::to_string(number) + "/" + std::to_string(of) + " " + server.entry.name + ": ";
    if (!request.quiet && console.notes_facts().terminal)
        options.progress = [&console, &who](std::string_view what, std::size_t done, std::size_t all) {
            console.bar(check_progress(who + std::string(what), done, all, console.notes_facts().width));
        };
    server.report = check::check_server(options);
    console.bar({});
}

FleetBaseline earlier_failures(const CheckRequest& request) {
    if (request.since.empty()) return {};
    const auto text = read_whole_file(request.since);
    if (!text)
        throw usage_failure("cannot read " + request.since + ": " + text.error().message,
                            "`tenon check --fleet FILE --write-baseline " + request.since + "` makes one");
    return read_fleet_baseline(*text, request.since);
}

void write_formats(const NamedVerdicts& verdicts, const CheckRequest& request, Duration took, Console& console) {
    json::array runs;
    std::vector<std::pair<std::string, const check::Report*>> reports;
    for (const auto& [name, verdict] : verdicts) {
        runs.emplace_back(sarif_run(*verdict, name));
        if (!verdict->report.findings.empty()) reports.emplace_back(name, &verdict->report);
    }
    write_format(request.junit, safe_text(junit_of(request.fleet, verdicts, took)), console);
    write_format(request.sarif, pretty_json(sarif_log(std::move(runs))) + "\n", console);
    write_format(request.html, safe_text(fleet_as_html(request.fleet, verdicts)), console);
    write_format(request.write_baseline, pretty_json(fleet_baseline_of(reports)) + "\n", console);
    if (request.json)
        console.print([&](Out& out) { out << pretty_json(fleet_as_json(request.fleet, verdicts)) << "\n"; });
    if (request.shows_report()) console.print([&](Out& out) { write_fleet(out, verdicts, request.detail, took); });
}

}  // namespace

Status run_fleet(const CommandLine& line, const CheckRequest& request, Console& console) {
    Servers servers;
    for (FoundEntry& entry : entries_of(request.fleet))
        servers.push_back(std::make_unique<Server>(Server{.entry = std::move(entry)}));
    if (servers.empty()) throw usage_failure(request.fleet + " has no servers");
    const FleetBaseline earlier = earlier_failures(request);
    ask_for_all(servers, line, console);
    const TimePoint begin = Clock::now();
    const Interrupt interrupt;
    check::Options options = request.options;
    options.stop = interrupt.token();
    NamedVerdicts verdicts;
    for (const auto& server : servers) {
        check_one(*server, verdicts.size() + 1, servers.size(), options, request, console);
        const auto known = earlier.find(server->entry.name);
        server->verdict.emplace(judge(server->report, known == earlier.end() ? Baseline() : known->second));
        server->verdict->since = request.since;
        server->verdict->date = date_now();
        server->verdict->repeat_with = join_words({"tenon", "check", "--config", request.fleet, "--seed",
                                                   std::to_string(server->report.seed), server->entry.name});
        server->verdict->interrupted = interrupt.happened();
        verdicts.emplace_back(server->entry.name, &*server->verdict);
    }
    write_formats(verdicts, request, Clock::now() - begin, console);
    const Status status = status_of(verdicts);
    const bool accepted = !request.write_baseline.empty() && status == Status::check_failed;
    return accepted ? Status::ok : status;
}

}  // namespace tenon::program
