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

void Sheet::pass(std::string_view rule, const Play& play) {
    Finding& finding = found_[rule];
    if (finding.outcome == Outcome::fail) return;
    finding.cases = finding.rule ? finding.cases + 1 : 1;
    finding.rule = find_rule(rule);
    finding.outcome = Outcome::pass;
    finding.detail.clear();
    if (finding.revision.empty()) finding.revision = play.revision;
}

void Sheet::fail(std::string_view rule, const Play& play, std::size_t event, std::string detail) {
    Finding& finding = found_[rule];
    if (finding.outcome == Outcome::fail) return;
    finding.rule = find_rule(rule);
    finding.outcome = Outcome::fail;
    finding.revision = play.revision;
    finding.detail = std::move(detail);
    finding.evidence = evidence(play.record, event, max_bytes_);
}

void Sheet::skip(std::string_view rule, std::string why) {
    Finding& finding = found_[rule];
    if (finding.rule) return;
    finding.outcome = Outcome::not_applicable;
    finding.detail = std::move(why);
}

void Sheet::expect(bool right, std::string_view rule, const Play& play, std::size_t event, std::string_view detail) {
    if (right)
        pass(rule, play);
    else
        fail(rule, play, event, std::string(detail));
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

std::vector<Finding> judge(const Plays& plays, std::size_t max_evidence_bytes) {
    Sheet sheet(max_evidence_bytes);
    for (const auto& [scene, play] : plays) {
        judge_messages(play, sheet);
        if (is_modern(scene))
            judge_modern(play, sheet);
        else
            judge_lifecycle(play, sheet);
        if (play.record.http) judge_http(play, sheet);
        if (scene != Scene::questions) judge_answers(play, sheet);
    }
    judge_scenes(plays, sheet);
    return sheet.findings();
}

}  // namespace tenon::check::client
