// tenon check: checks whether a server or a client follows the rules of the protocol.
#include <algorithm>

#include <tenon/check.hpp>

#include "check_options.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "json_text.hpp"
#include "report_formats.hpp"
#include "report_terminal.hpp"
#include "rule_page.hpp"

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

Status show_plan(const check::Options& options, Console& console) {
    const auto lines = check::plan(options);
    console.print([&](Out& out) {
        for (const std::string& text : lines) out << safe_line(text) << "\n";
    });
    return Status::ok;
}

// Writes to the file, or to standard output when the path is "-".
void write_format(const std::string& path, const SafeText& text, Console& console) {
    if (path.empty()) return;
    if (path == "-") return console.print([&](Out& out) { out << text; });
    if (auto made = make_file(path, text.view(), Existing::overwrite); !made)
        throw usage_failure("cannot write " + path + ": " + made.error().message);
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
    if (request.baseline.empty()) return {};
    const auto text = read_whole_file(request.baseline);
    if (!text)
        throw usage_failure("cannot read " + request.baseline + ": " + text.error().message,
                            "`tenon check --write-baseline " + request.baseline + "` makes one");
    return read_baseline(*text, request.baseline);
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
    const Baseline known = known_failures(request);
    const Interrupt interrupt;
    if (line.has("plan")) return show_plan(request.options, console);
    const check::Report report = run(request, interrupt, console);
    Assessment verdict = judge(report, known);
    verdict.repeat_with = repeating_command(line, report.seed);
    verdict.interrupted = interrupt.happened();
    write_formats(verdict, request, console);
    const Status status = status_of(verdict);
    const bool accepted = !request.write_baseline.empty() && status == Status::check_failed;
    return accepted ? Status::ok : status;
}

}  // namespace tenon::program
