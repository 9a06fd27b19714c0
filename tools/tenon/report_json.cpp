// --json: the complete report.
#include <algorithm>

#include "report_formats.hpp"
#include "unicode.hpp"

namespace tenon::program {
namespace {

bool is_utf8(std::string_view bytes) {
    while (!bytes.empty()) {
        const CodePoint c = first_code_point(bytes);
        if (!c.valid) return false;
        bytes.remove_prefix(c.bytes);
    }
    return true;
}

std::string hex(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += "0123456789abcdef"[byte >> 4];
        out += "0123456789abcdef"[byte & 15];
    }
    return out;
}

// JSON cannot hold arbitrary bytes. Bytes that are not UTF-8 are shown as escaped text and also in hexadecimal.
json::object evidence(const check::Evidence& piece) {
    json::object out{{"direction", to_string(piece.direction)}};
    if (is_utf8(piece.bytes)) {
        out.emplace("text", piece.bytes);
    } else {
        out.emplace("text", safe_text(piece.bytes).view());
        out.emplace("hex", hex(piece.bytes));
    }
    if (piece.left_out > 0) out.emplace("leftOut", piece.left_out);
    return out;
}

json::object finding(const Assessment& verdict, const check::Finding& found) {
    const check::Rule& rule = *found.rule;
    json::object out{{"rule", rule.id},
                     {"title", rule.title},
                     {"outcome", check::to_string(found.outcome)},
                     {"level", check::to_string(rule.clause(found.revision).level)},
                     {"severity", check::to_string(rule.severity)},
                     {"detail", found.detail},
                     {"cases", found.cases}};
    if (!found.revision.empty()) out.emplace("revision", found.revision);
    if (verdict.standing(found) == Standing::known) out.emplace("known", true);
    if (found.of_sdk) out.emplace("ofSdk", true);
    if (!found.counterexample.empty()) out.emplace("counterexample", found.counterexample);
    if (found.outcome == check::Outcome::fail || found.outcome == check::Outcome::warning) {
        out.emplace("remedy", rule.remedy);
        out.emplace("source", rule.clause(found.revision).source());
    }
    json::array pieces;
    for (const check::Evidence& piece : found.evidence) pieces.emplace_back(evidence(piece));
    if (!pieces.empty()) out.emplace("evidence", std::move(pieces));
    return out;
}

json::object audit(const check::Audit& found) {
    json::object out{{"check", "jsonrpc-messages"}, {"passed", found.passed()},
                     {"handlers", found.handlers},  {"deviatingHandlers", found.deviating_handlers},
                     {"messages", found.messages},  {"deviations", found.deviations}};
    if (found.passed()) return out;
    out.emplace("firstOffence", found.first_offence);
    out.emplace("detail", found.detail);
    out.emplace("remedy", found.remedy);
    return out;
}

json::array list(const Baseline& entries) {
    json::array out;
    for (const KnownFailure& entry : entries) out.emplace_back(fingerprint(entry));
    return out;
}

json::object summary(const Assessment& verdict) {
    return {{"passed", verdict.count(Standing::passed)},
            {"failed", verdict.count(Standing::failed)},
            {"known", verdict.count(Standing::known)},
            {"warnings", verdict.count(Standing::warning)},
            {"notApplicable", verdict.count(Standing::not_applicable)}};
}

}  // namespace

json::object report_as_json(const Assessment& verdict) {
    const check::Report& report = verdict.report;
    json::object out{{"target", report.target},
                     {"transport", report.transport},
                     {"name", report.name},
                     {"version", report.version},
                     {"revisions", json::array(report.revisions.begin(), report.revisions.end())},
                     {"status", static_cast<int>(status_of(verdict))},
                     {"summary", summary(verdict)},
                     {"seed", report.seed},
                     {"seconds", seconds(report.took)}};
    out.emplace("tenon", TENON_VERSION);
    if (!verdict.date.empty()) out.emplace("date", verdict.date);
    if (!report.sdk.empty()) out.emplace("sdk", report.sdk);
    if (const auto lines = fix_first(verdict); !lines.empty())
        out.emplace("fixFirst", json::array(lines.begin(), lines.end()));
    if (!verdict.since.empty()) {
        const auto lines = changes(verdict);
        out.emplace("changes", json::array(lines.begin(), lines.end()));
    }
    if (!report.incomplete.empty()) out.emplace("incomplete", report.incomplete);
    if (!verdict.fixed.empty()) out.emplace("fixed", list(verdict.fixed));
    if (!verdict.untried.empty()) out.emplace("untried", list(verdict.untried));
    json::array findings;
    for (const check::Finding& found : report.findings) findings.emplace_back(finding(verdict, found));
    out.emplace("findings", std::move(findings));
    if (report.audit) out.emplace("audit", audit(*report.audit));
    if (!verdict.repeat_with.empty()) out.emplace("repeat", verdict.repeat_with);
    return out;
}

json::object rule_as_json(const check::Rule& rule) {
    json::array revisions;
    for (const check::Clause& clause : rule.clauses)
        if (clause.level != check::Level::none)
            revisions.emplace_back(json::object{
                {"revision", clause.revision}, {"level", check::to_string(clause.level)}, {"source", clause.source()}});
    return {{"id", rule.id},
            {"title", rule.title},
            {"side", check::to_string(rule.side)},
            {"level", check::to_string(rule.clause().level)},
            {"severity", check::to_string(rule.severity)},
            {"text", rule.text},
            {"source", rule.clause().source()},
            {"revisions", std::move(revisions)},
            {"remedy", rule.remedy},
            {"right", rule.right},
            {"wrong", rule.wrong}};
}

}  // namespace tenon::program
