// Compares a report with a baseline: finds new, known and fixed failures.
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
    std::string revision = {};  ///< empty when the rule does not depend on it
    auto operator<=>(const KnownFailure&) const = default;
};
using Baseline = std::set<KnownFailure>;

/// Returns the fingerprint "RPC-4.same-id@2025-11-25".
std::string fingerprint(const KnownFailure& failure);
KnownFailure identity_of(const check::Finding& finding);

/// Reads the text of a baseline file. Throws Failure that names `file`.
Baseline read_baseline(std::string_view text, const std::string& file);
/// Writes the failures of a report as a baseline file.
json::object baseline_of(const check::Report& report);

/// The state of a finding compared with the baseline, in the order of reports.
enum class Standing { failed, known, warning, passed, not_applicable };
Literal to_literal(Standing standing);

/// A report compared with a baseline. The report must outlive this object.
struct Assessment {
    const check::Report& report;
    Baseline known = {};           ///< failures on the baseline
    Baseline fixed = {};           ///< entries that pass now; an error, because they must be removed
    Baseline untried = {};         ///< entries that this check did not judge
    std::string repeat_with = {};  ///< the command that repeats the check
    bool interrupted = false;      ///< by the user

    Standing standing(const check::Finding& finding) const;
    std::size_t count(Standing standing) const;
};

Assessment judge(const check::Report& report, const Baseline& baseline = {});

/// Returns 0: no new failures. 1: new failures. 3: nothing could be checked. 5: the time ran out. 130: Ctrl-C.
Status status_of(const Assessment& verdict);

/// Findings of one rule with the same detail. They are shown once for all revisions.
struct Problem {
    const check::Rule* rule = nullptr;
    std::vector<const check::Finding*> findings = {};

    const check::Finding& first() const { return *findings.front(); }
    std::string revisions() const;  ///< "2025-11-25, 2025-06-18"
};

/// Groups findings, the most severe first, otherwise in the order of the report.
std::vector<Problem> problems(const Assessment& verdict, Standing standing);

/// A group of rules: the part of their ids before the first dash.
struct Group {
    std::string_view name;
    std::vector<const check::Finding*> findings = {};
};
std::vector<Group> groups(const check::Report& report);
std::size_t count(const Assessment& verdict, const Group& group, Standing standing);
std::string_view group_of(std::string_view rule_id);
/// Returns a title for a group: "messages" for RPC; otherwise the name itself.
SafeText group_title(std::string_view name);

double seconds(Duration time);
SafeText shown_seconds(Duration time);  ///< "2.3 s"

}  // namespace tenon::program
