#include "check/client/judge.hpp"

#include <set>

#include "check/client/client_rules.hpp"

namespace tenon::check::client {
namespace {

Finding nothing_seen() {
    Finding out;
    out.outcome = Outcome::not_applicable;
    return out;
}

}  // namespace

void Sheet::pass(std::string_view rule, const Dialogue& dialogue) {
    Finding& finding = found_[rule];
    if (finding.outcome == Outcome::fail) return;
    finding.cases = finding.rule ? finding.cases + 1 : 1;
    finding.rule = find_rule(rule);
    finding.outcome = Outcome::pass;
    finding.detail.clear();
    if (finding.revision.empty()) finding.revision = dialogue.revision;
}

void Sheet::fail(std::string_view rule, const Dialogue& dialogue, std::size_t event, std::string detail) {
    Finding& finding = found_[rule];
    if (finding.outcome == Outcome::fail) return;
    finding.rule = find_rule(rule);
    finding.outcome = Outcome::fail;
    finding.revision = dialogue.revision;
    finding.detail = std::move(detail);
    finding.evidence = evidence(dialogue.record, event, max_bytes_);
}

void Sheet::skip(std::string_view rule, std::string why) {
    Finding& finding = found_[rule];
    if (finding.rule) return;
    finding.outcome = Outcome::not_applicable;
    finding.detail = std::move(why);
}

void Sheet::expect(bool right, std::string_view rule, const Dialogue& dialogue, std::size_t event,
                   std::string_view detail) {
    if (right)
        pass(rule, dialogue);
    else
        fail(rule, dialogue, event, std::string(detail));
}

bool Sheet::failed(std::string_view rule) const {
    const auto it = found_.find(rule);
    return it != found_.end() && it->second.outcome == Outcome::fail;
}

std::vector<Finding> Sheet::findings() const {
    std::vector<Finding> out;
    for (const ClientRule& row : all_client_rules()) {
        const auto it = found_.find(row.rule.id);
        Finding finding = it == found_.end() ? nothing_seen() : it->second;
        finding.rule = find_rule(row.rule.id);
        const Level level = row.rule.clause(finding.revision).level;
        if (level == Level::none) {
            finding = nothing_seen();
            finding.rule = find_rule(row.rule.id);
            finding.detail = "this revision does not have the rule";
        }
        if (finding.outcome == Outcome::not_applicable && finding.detail.empty())
            finding.detail = "the client did nothing that this rule covers";
        if (finding.outcome == Outcome::fail && level != Level::must) finding.outcome = Outcome::warning;
        out.push_back(std::move(finding));
    }
    return out;
}

std::vector<Finding> judge(const Dialogues& dialogues, std::size_t max_evidence_bytes) {
    Sheet sheet(max_evidence_bytes);
    std::set<JudgeRecords> done;
    for (const ClientRule& row : all_client_rules())
        if (row.judge != judge_scenes && done.insert(row.judge).second) row.judge(dialogues, sheet);
    judge_scenes(dialogues, sheet);  // it also judges the answers of a record that only some clients can read
    return sheet.findings();
}

}  // namespace tenon::check::client
