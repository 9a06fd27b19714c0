// Judges a client by the records of its runs. Pure: records in, findings out.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "check/client/dialogue.hpp"

namespace tenon::check::client {

/// Collects the outcome of each rule. A failure is final, and a pass replaces "not applicable".
class Sheet {
 public:
    explicit Sheet(std::size_t max_evidence_bytes) : max_bytes_(max_evidence_bytes) {}

    void pass(std::string_view rule, const Dialogue& dialogue);
    void fail(std::string_view rule, const Dialogue& dialogue, std::size_t event, std::string detail);
    void skip(std::string_view rule, std::string why);
    /// Calls pass() or fail().
    void expect(bool right, std::string_view rule, const Dialogue& dialogue, std::size_t event,
                std::string_view detail);
    bool failed(std::string_view rule) const;

    /// Returns one finding per client rule, in the order of the catalogue.
    std::vector<Finding> findings() const;

 private:
    std::map<std::string_view, Finding> found_;
    std::size_t max_bytes_;
};

using Dialogues = std::map<Scene, Dialogue>;

/// Returns all findings, one per rule.
std::vector<Finding> judge(const Dialogues& dialogues, std::size_t max_evidence_bytes);

/// Judges some rules by all records.
using JudgeRecords = void (*)(const Dialogues& dialogues, Sheet& sheet);

// The functions of the table in rules_*.cpp, with one file each. judge() runs each of them once.
void judge_messages(const Dialogues& dialogues, Sheet& sheet);
void judge_lifecycle(const Dialogues& dialogues, Sheet& sheet);
void judge_answers(const Dialogues& dialogues, Sheet& sheet);
void judge_modern(const Dialogues& dialogues, Sheet& sheet);
void judge_tasks(const Dialogues& dialogues, Sheet& sheet);
void judge_http(const Dialogues& dialogues, Sheet& sheet);
void judge_scenes(const Dialogues& dialogues, Sheet& sheet);

/// Judges the answers of one record.
void judge_answers_in(const Dialogue& dialogue, Sheet& sheet);

}  // namespace tenon::check::client
