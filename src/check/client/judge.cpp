#include "check/client/judge.hpp"

#include <algorithm>

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
    for (const Rule& rule : catalogue()) {
        if (rule.side != Side::client) continue;
        const auto it = found_.find(rule.id);
        Finding finding = it == found_.end() ? nothing_seen() : it->second;
        finding.rule = &rule;
        if (finding.outcome == Outcome::not_applicable && finding.detail.empty())
            finding.detail = "the client did nothing that this rule covers";
        if (finding.outcome == Outcome::fail && rule.level == Level::should) finding.outcome = Outcome::warning;
        out.push_back(std::move(finding));
    }
    return out;
}

std::vector<Finding> judge(const Dialogues& dialogues, std::size_t max_evidence_bytes) {
    Sheet sheet(max_evidence_bytes);
    for (const auto& [scene, dialogue] : dialogues) {
        judge_messages(dialogue, sheet);
        if (is_modern(scene))
            judge_modern(dialogue, sheet);
        else
            judge_lifecycle(dialogue, sheet);
        if (dialogue.record.http) judge_http(dialogue, sheet);
        if (scene != Scene::questions) judge_answers(dialogue, sheet);
    }
    judge_scenes(dialogues, sheet);
    return sheet.findings();
}

}  // namespace tenon::check::client
