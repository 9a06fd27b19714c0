// Runs mutants, and reads reports about them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tenon/check.hpp>

#include "support/child.hpp"
#include "support/folders.hpp"

namespace tenon::check::mutant {

/// A running mutant. An HTTP server runs during one check; a stdio server is started by the checker.
class Running {
 public:
    Running(std::vector<std::string> words, bool http) {
        words.insert(words.begin(), test_folders::bin() + "/mutant");
        if (http) {
            child_.emplace(words);
            target_.url = child_->line().value_or("");
        } else {
            target_.command = std::move(words);
        }
    }
    Target& target() { return target_; }
    const Target& target() const { return target_; }

 private:
    std::optional<test::Child> child_;
    Target target_;
};

inline bool is_bad(const Finding& finding) {
    return finding.outcome == Outcome::fail || finding.outcome == Outcome::warning;
}

inline std::set<std::string> broken(const Report& report) {
    std::set<std::string> out;
    for (const Finding& finding : report.findings)
        if (is_bad(finding)) out.insert(std::string(finding.rule->id));
    return out;
}

/// Returns the failures that do not show what was sent and what came back, and do not say why.
inline std::string without_evidence(const Report& report) {
    std::string out;
    for (const Finding& finding : report.findings) {
        if (!is_bad(finding)) continue;
        bool sent = false, received = false;
        for (const Evidence& piece : finding.evidence) {
            const bool note = piece.direction == Evidence::Direction::note;
            sent = sent || piece.direction == Evidence::Direction::sent ||
                   (note && piece.bytes.starts_with("(nothing was sent"));
            received = received || piece.direction == Evidence::Direction::received || note;
        }
        if (!sent || !received) out += std::string(finding.rule->id) + " ";
    }
    return out;
}

inline std::string details(const Report& report) {
    std::string out = report.incomplete + "\n";
    for (const Finding& finding : report.findings)
        if (is_bad(finding)) out += std::string(finding.rule->id) + ": " + finding.detail + "\n";
    return out;
}

}  // namespace tenon::check::mutant
