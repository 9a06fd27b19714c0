// --sarif: SARIF 2.1.0, a format for the results of code analysis.
#include <algorithm>

#include "files.hpp"
#include "report_formats.hpp"

namespace tenon::program {
namespace {

json::object text(std::string_view words) { return {{"text", words}}; }

std::string_view level_of(check::Level level) { return level == check::Level::must ? "error" : "warning"; }

std::string help_of(const check::Rule& rule) {
    return std::string(rule.text) + "\n\nWhat to do: " + std::string(rule.remedy) +
           "\n\nRight: " + std::string(rule.right) + "\nWrong: " + std::string(rule.wrong) +
           "\n\nSource: " + rule.clause().source();
}

json::object rule_of(const check::Rule& rule) {
    return {{"id", rule.id},
            {"shortDescription", text(rule.title)},
            {"fullDescription", text(rule.text)},
            {"help", text(help_of(rule))},
            {"defaultConfiguration", json::object{{"level", level_of(rule.clause().level)}}},
            {"properties", json::object{{"severity", check::to_string(rule.severity)},
                                        {"tags", json::array{check::to_string(rule.side), group_of(rule.id)}}}}};
}

// SARIF needs a file as the location. There is none, so the name of the checked program is used. It is a relative
// reference, because viewers require one.
json::array location_of(const check::Report& report) {
    return {json::object{
        {"physicalLocation", json::object{{"artifactLocation", json::object{{"uri", safe_file_name(report.target)}}}}},
        {"logicalLocations", json::array{json::object{{"fullyQualifiedName", report.target}, {"kind", "module"}}}}}};
}

json::object result_of(const Assessment& verdict, const check::Finding& finding, std::size_t rule_index) {
    const Standing standing = verdict.standing(finding);
    json::object out{{"ruleId", finding.rule->id},
                     {"ruleIndex", rule_index},
                     {"kind", "fail"},
                     {"level", standing == Standing::warning ? "warning" : "error"},
                     {"message", text(plain_account(finding, verdict.report.sdk))},
                     {"locations", location_of(verdict.report)},
                     {"partialFingerprints", json::object{{"ruleAndRevision/v1", fingerprint(identity_of(finding))}}}};
    if (standing == Standing::known) {
        out.emplace("baselineState", "unchanged");
        out.emplace("suppressions", json::array{json::object{{"kind", "external"}, {"justification", "baseline"}}});
    }
    json::object properties;
    if (!finding.revision.empty()) properties.emplace("revision", finding.revision);
    if (finding.of_sdk) properties.emplace("sdk", verdict.report.sdk);
    if (!properties.empty()) out.emplace("properties", std::move(properties));
    return out;
}

json::object invocation_of(const Assessment& verdict) {
    const check::Report& report = verdict.report;
    json::array notes;
    const auto note = [&notes](const std::string& words) {
        notes.emplace_back(json::object{{"level", "error"}, {"message", text(words)}});
    };
    if (!report.incomplete.empty()) note(report.incomplete);
    if (verdict.since.empty())
        for (const KnownFailure& entry : verdict.fixed)
            note(fingerprint(entry) + " is fixed: take it off the baseline");
    json::object out{{"executionSuccessful", report.incomplete.empty()}, {"toolExecutionNotifications", notes}};
    if (!verdict.repeat_with.empty()) out.emplace("commandLine", verdict.repeat_with);
    return out;
}

struct Results {
    std::vector<const check::Rule*> rules = {};
    json::array results = {};

    void add(const Assessment& verdict, const check::Finding& finding) {
        auto rule = std::ranges::find(rules, finding.rule);
        if (rule == rules.end()) rule = rules.insert(rules.end(), finding.rule);
        results.emplace_back(result_of(verdict, finding, static_cast<std::size_t>(rule - rules.begin())));
    }
    json::array described() const {
        json::array out;
        for (const check::Rule* rule : rules) out.emplace_back(rule_of(*rule));
        return out;
    }
};

}  // namespace

json::object sarif_run(const Assessment& verdict, std::string_view id) {
    Results all;
    for (const check::Finding& finding : verdict.report.findings)
        if (finding.outcome == check::Outcome::fail || finding.outcome == check::Outcome::warning)
            all.add(verdict, finding);
    json::object driver{{"name", "tenon check"}, {"version", TENON_VERSION}, {"rules", all.described()}};
    json::object run{{"tool", json::object{{"driver", std::move(driver)}}},
                     {"columnKind", "utf16CodeUnits"},
                     {"invocations", json::array{invocation_of(verdict)}},
                     {"results", std::move(all.results)}};
    if (!id.empty()) run.emplace("automationDetails", json::object{{"id", "tenon check/" + std::string(id) + "/"}});
    return run;
}

json::object sarif_log(json::array runs) {
    return {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", std::move(runs)}};
}

json::object report_as_sarif(const Assessment& verdict) { return sarif_log({sarif_run(verdict)}); }

}  // namespace tenon::program
