// The report of `tenon check --fleet`: one table for people, and one JSON document.
#include <algorithm>

#include "fleet.hpp"
#include "layout.hpp"

namespace tenon::program {
namespace {

SafeText number_or_nothing(std::size_t n) { return n == 0 ? SafeText() : number(static_cast<std::int64_t>(n)); }

// Returns "+1 -2": new and fixed failures.
std::string change_words(const Assessment& verdict) {
    const auto lines = changes(verdict);
    const auto count = [&](std::string_view kind) {
        return std::ranges::count_if(lines, [&](const std::string& line) { return line.starts_with(kind); });
    };
    const auto added = count("new"), fixed = count("fixed");
    std::string out = added > 0 ? "+" + std::to_string(added) : std::string();
    if (fixed > 0) out += (out.empty() ? "-" : " -") + std::to_string(fixed);
    return out;
}

std::string first_rule(const Assessment& verdict) {
    const auto lines = fix_first(verdict);
    return lines.empty() ? std::string() : lines.front().substr(0, lines.front().find(' '));
}

std::vector<SafeText> row_of(const std::string& name, const Assessment& verdict) {
    const check::Report& report = verdict.report;
    return {safe_line(name),
            safe_line(result_words(verdict)),
            number_or_nothing(verdict.count(Standing::failed)),
            number_or_nothing(verdict.count(Standing::known)),
            number_or_nothing(verdict.count(Standing::warning)),
            number_or_nothing(verdict.count(Standing::passed)),
            safe_line(change_words(verdict)),
            safe_line(report.revisions.empty() ? "" : report.revisions.front()),
            safe_line(first_rule(verdict))};
}

void write_details(Out& out, const std::string& name, const Assessment& verdict) {
    const auto failed = problems(verdict, Standing::failed);
    const auto news = changes(verdict);
    if (failed.empty() && news.empty() && verdict.report.incomplete.empty()) return;
    out << "\n" << Styled(Look::bold, safe_line(name)) << "\n";
    if (!verdict.report.incomplete.empty()) write_wrapped(out, safe_line(verdict.report.incomplete), 4);
    for (const Problem& problem : failed) {
        out << "    " << Styled(Look::red, "FAIL ") << safe_line(problem.rule->id) << "\n";
        write_wrapped(out, safe_text(problem.first().detail), 8);
    }
    for (const std::string& line : news)
        if (line.starts_with("fixed")) write_wrapped(out, safe_line(line), 4);
}

std::size_t count_of(const NamedVerdicts& verdicts, std::initializer_list<Status> statuses) {
    return static_cast<std::size_t>(std::ranges::count_if(verdicts, [&](const auto& one) {
        return std::ranges::find(statuses, status_of(*one.second)) != statuses.end();
    }));
}

std::string totals(const NamedVerdicts& verdicts) {
    const std::size_t ok = count_of(verdicts, {Status::ok}), failed = count_of(verdicts, {Status::check_failed}),
                      rest = verdicts.size() - ok - failed;
    std::string out = counted(verdicts.size(), "server") + ": " + std::to_string(ok) + " ok";
    if (failed > 0) out += ", " + std::to_string(failed) + " failed";
    if (rest > 0) out += ", " + std::to_string(rest) + " not checked to the end";
    return out;
}

}  // namespace

Status status_of(const NamedVerdicts& verdicts) {
    for (const Status status : {Status::interrupted, Status::check_failed, Status::connection, Status::timeout})
        if (count_of(verdicts, {status}) > 0) return status;
    return Status::ok;
}

void write_fleet(Out& out, const NamedVerdicts& verdicts, Detail detail, Duration took) {
    if (detail == Detail::full)
        for (const auto& [name, verdict] : verdicts) {
            out << Styled(Look::bold, safe_line(name)) << "\n";
            write_report(out, *verdict, detail);
            out << "\n";
        }
    Table table{{{"SERVER", Look::bold},
                 {"RESULT"},
                 {"FAILED", Look::red},
                 {"KNOWN", Look::yellow},
                 {"WARNINGS", Look::yellow},
                 {"PASSED"},
                 {"CHANGED"},
                 {"REVISION"},
                 {"FIX FIRST"}},
                {}};
    for (const auto& [name, verdict] : verdicts) table.rows.push_back(row_of(name, *verdict));
    write_table(out, table);
    if (detail == Detail::normal)
        for (const auto& [name, verdict] : verdicts) write_details(out, name, *verdict);
    const Look look = status_of(verdicts) == Status::ok ? Look::green : Look::red;
    out << "\n" << Styled(look, safe_line(totals(verdicts)) + " in " + shown_seconds(took)) << "\n";
}

json::object fleet_as_json(std::string_view file, const NamedVerdicts& verdicts) {
    json::array servers;
    for (const auto& [name, verdict] : verdicts) {
        json::object one{{"server", name}, {"result", result_words(*verdict)}};
        for (const auto& member : report_as_json(*verdict)) one.emplace(member.key(), member.value());
        servers.emplace_back(std::move(one));
    }
    return {{"fleet", file},
            {"status", static_cast<int>(status_of(verdicts))},
            {"summary", json::object{{"servers", verdicts.size()},
                                     {"ok", count_of(verdicts, {Status::ok})},
                                     {"failed", count_of(verdicts, {Status::check_failed})}}},
            {"servers", std::move(servers)}};
}

}  // namespace tenon::program
