// What a report means for whoever waits for it: which failures are new, which are known, which are fixed.
#pragma once

#include <compare>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/check.hpp>
#include <tenon/json.hpp>

#include "safe_text.hpp"
#include "status.hpp"

namespace tenon::program {

/// An entry of a baseline: this rule is known to fail in this revision.
struct KnownFailure {
    std::string rule;
    std::string revision = {};  ///< empty when the rule is about none
    auto operator<=>(const KnownFailure&) const = default;
};
using Baseline = std::set<KnownFailure>;

/// "RPC-4.same-id@2025-11-25": the same as long as the same thing is wrong.
std::string fingerprint(const KnownFailure& failure);
KnownFailure identity_of(const check::Finding& finding);

/// The text of a baseline file; throws Failure, where `file` is what it is called.
Baseline read_baseline(std::string_view text, const std::string& file);
/// The failures of a report, as such a file.
json::object baseline_of(const check::Report& report);

/// How a finding stands once the baseline was looked at. In the order in which reports show them.
enum class Standing { failed, known, warning, passed, not_applicable };
Literal to_literal(Standing standing);

/// The report must outlive it.
struct Verdict {
    const check::Report& report;
    Baseline known = {};           ///< failures that the baseline has
    Baseline fixed = {};           ///< what the baseline has, and passes now: an error, so that it is taken off
    Baseline untried = {};         ///< what the baseline has, and this check did not judge
    std::string repeat_with = {};  ///< the command that does the same check again
    bool interrupted = false;      ///< by the user

    Standing standing(const check::Finding& finding) const;
    std::size_t count(Standing standing) const;
};

Verdict judge(const check::Report& report, const Baseline& baseline = {});

/// 0: nothing new is wrong. 1: something is. 3: nothing could be checked. 5: not all of it in time. 130: Ctrl-C.
Status status_of(const Verdict& verdict);

/// Findings of one rule that say the same: told once, for all of their revisions.
struct Problem {
    const check::Rule* rule = nullptr;
    std::vector<const check::Finding*> findings = {};

    const check::Finding& first() const { return *findings.front(); }
    std::string revisions() const;  ///< "2025-11-25, 2025-06-18"
};

/// The most severe first, and otherwise in the order of the report.
std::vector<Problem> problems(const Verdict& verdict, Standing standing);

/// Rules that belong together: what is before the first dash of their ids.
struct Group {
    std::string_view name;
    std::vector<const check::Finding*> findings = {};
};
std::vector<Group> groups(const check::Report& report);
std::size_t count(const Verdict& verdict, const Group& group, Standing standing);
std::string_view group_of(std::string_view rule_id);
/// "messages" for RPC; the name itself when there is no better one.
SafeText group_title(std::string_view name);

double seconds(Duration time);
SafeText shown_seconds(Duration time);  ///< "2.3 s"

}  // namespace tenon::program
