// tenon check: checks whether a server or a client follows the rules of the protocol.
#include <algorithm>

#include <tenon/check.hpp>

#include "check_options.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "fleet.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "report_formats.hpp"
#include "report_terminal.hpp"
#include "rule_page.hpp"
#include "write_format.hpp"

namespace tenon::program {
namespace {

Status list_rules(const CommandLine& line, Console& console) {
    std::vector<const check::Rule*> rules;
    json::array all;
    const std::vector<std::string> only = line.all("only");
    for (const check::Rule& rule : check::catalogue()) {
        if (!check::is_selected(rule.id, only) || (line.has("client") && rule.side != check::Side::client)) continue;
        rules.push_back(&rule);
        all.emplace_back(rule_as_json(rule));
    }
    console.print([&](Out& out) {
        if (line.has("json"))
            out << pretty_json(json::object{{"rules", std::move(all)}}) << "\n";
        else
            write_rules(out, rules);
    });
    return Status::ok;
}

Status explain(const CommandLine& line, Console& console) {
    const check::Rule& rule = rule_named(line.last("explain"));
    console.print([&](Out& out) {
        if (line.has("json"))
            out << pretty_json(rule_as_json(rule)) << "\n";
        else
            write_rule(out, rule);
    });
    return Status::ok;
}

Status show_plan(const CheckRequest& request, Console& console) {
    constexpr std::string_view nothing = "nothing: ";
    const auto lines = check::plan(request.options);
    if (lines.size() == 1 && lines.front().starts_with(nothing))
        throw Failure(Status::connection, "nothing can be checked: " + lines.front().substr(nothing.size()));
    console.print([&](Out& out) {
        if (request.json) {
            out << pretty_json(json::object{{"plan", json::array(lines.begin(), lines.end())}}) << "\n";
            return;
        }
        for (const std::string& text : lines) out << safe_line(text) << "\n";
    });
    return Status::ok;
}

void write_formats(const Assessment& verdict, const CheckRequest& request, Console& console) {
    write_format(request.junit, safe_text(report_as_junit(verdict)), console);
    write_format(request.sarif, pretty_json(report_as_sarif(verdict)) + "\n", console);
    write_format(request.html, safe_text(report_as_html(verdict)), console);
    write_format(request.write_baseline, pretty_json(baseline_of(verdict.report)) + "\n", console);
    if (request.json) console.print([&](Out& out) { out << pretty_json(report_as_json(verdict)) << "\n"; });
    if (request.shows_report()) console.print([&](Out& out) { write_report(out, verdict, request.detail); });
}

Baseline known_failures(const CheckRequest& request) {
    const std::string& file = request.since.empty() ? request.baseline : request.since;
    if (file.empty()) return {};
    const auto text = read_whole_file(file);
    if (!text)
        throw usage_failure("cannot read " + file + ": " + text.error().message,
                            "`tenon check --write-baseline " + file + "` makes one");
    return read_baseline(*text, file);
}

check::Report run(const CheckRequest& request, const Interrupt& interrupt, Console& console) {
    check::Options options = request.options;
    options.stop = interrupt.token();
    if (!request.quiet && console.notes_facts().terminal)
        options.progress = [&console](std::string_view what, std::size_t done, std::size_t of) {
            console.bar(check_progress(what, done, of, console.notes_facts().width));
        };
    check::Report report = request.client ? check::check_client(options) : check::check_server(options);
    console.bar({});
    return report;
}

}  // namespace

Status run_check(const CommandLine& line, Console& console) {
    if (line.has("list")) return list_rules(line, console);
    if (line.has("explain")) return explain(line, console);
    const CheckRequest request = check_request(line, console);
    if (!request.fleet.empty()) return run_fleet(line, request, console);
    const Baseline known = known_failures(request);
    const Interrupt interrupt;
    if (line.has("plan")) return show_plan(request, console);
    const check::Report report = run(request, interrupt, console);
    Assessment verdict = judge(report, known);
    verdict.repeat_with = repeating_command(line, report.seed);
    verdict.date = date_now();
    verdict.since = request.since;
    verdict.interrupted = interrupt.happened();
    write_formats(verdict, request, console);
    const Status status = status_of(verdict);
    const bool accepted = !request.write_baseline.empty() && status == Status::check_failed;
    return accepted ? Status::ok : status;
}

}  // namespace tenon::program
