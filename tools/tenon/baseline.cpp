// Reads and writes the baseline: the file of known failures.
#include "verdict.hpp"

namespace tenon::program {
namespace {

constexpr std::string_view version_key = "tenonBaseline";
constexpr int version = 1;

Failure not_a_baseline(const std::string& file, const std::string& why) {
    return usage_failure(file + " is not a baseline: " + why, "`tenon check --write-baseline " + file + "` makes one");
}

std::string text_member(const json::object& entry, std::string_view key) {
    const json::value* member = entry.if_contains(key);
    return member && member->is_string() ? std::string(member->get_string()) : std::string();
}

json::object document_of(std::string_view text, const std::string& file) {
    auto parsed = json::parse(text);
    if (!parsed) throw not_a_baseline(file, parsed.error().message);
    json::object* document = parsed->if_object();
    const json::value* spoken = document ? document->if_contains(version_key) : nullptr;
    if (!spoken || *spoken != json::value(version))
        throw not_a_baseline(file, "it does not say \"" + std::string(version_key) + "\": " + std::to_string(version));
    return std::move(*document);
}

Baseline failures_in(const json::object& object, const std::string& file) {
    const json::value* failures = object.if_contains("failures");
    if (!failures || !failures->is_array()) throw not_a_baseline(file, "it has no list `failures`");
    Baseline out;
    for (const json::value& entry : failures->get_array()) {
        const std::string rule = entry.is_object() ? text_member(entry.get_object(), "rule") : std::string();
        if (rule.empty()) throw not_a_baseline(file, "an entry of `failures` has no `rule`");
        out.insert({rule, text_member(entry.get_object(), "revision")});
    }
    return out;
}

json::array failures_of(const check::Report& report) {
    Baseline all;
    for (const check::Finding& finding : report.findings)
        if (finding.outcome == check::Outcome::fail) all.insert(identity_of(finding));
    json::array failures;
    for (const KnownFailure& entry : all) {
        json::object row{{"rule", entry.rule}};
        if (!entry.revision.empty()) row.emplace("revision", entry.revision);
        failures.emplace_back(std::move(row));
    }
    return failures;
}

}  // namespace

Baseline read_baseline(std::string_view text, const std::string& file) {
    return failures_in(document_of(text, file), file);
}

json::object baseline_of(const check::Report& report) {
    return {{version_key, version}, {"failures", failures_of(report)}};
}

FleetBaseline read_fleet_baseline(std::string_view text, const std::string& file) {
    const json::object document = document_of(text, file);
    const json::value* servers = document.if_contains("servers");
    if (!servers || !servers->is_object()) throw not_a_baseline(file, "it has no object `servers`");
    FleetBaseline out;
    for (const auto& member : servers->get_object()) {
        if (!member.value().is_object()) throw not_a_baseline(file, "an entry of `servers` is not an object");
        out.emplace(member.key(), failures_in(member.value().get_object(), file));
    }
    return out;
}

json::object fleet_baseline_of(const std::vector<std::pair<std::string, const check::Report*>>& reports) {
    json::object servers;
    for (const auto& [name, report] : reports) servers[name] = json::object{{"failures", failures_of(*report)}};
    return {{version_key, version}, {"servers", std::move(servers)}};
}

}  // namespace tenon::program
