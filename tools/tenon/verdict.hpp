// Compares a report with a baseline: finds new, known and fixed failures.
#pragma once

#include <compare>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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

/// The baselines of several servers, by their names.
using FleetBaseline = std::map<std::string, Baseline, std::less<>>;
FleetBaseline read_fleet_baseline(std::string_view text, const std::string& file);
json::object fleet_baseline_of(const std::vector<std::pair<std::string, const check::Report*>>& reports);

/// The state of a finding compared with the baseline, in the order of reports.
enum class Standing { failed, known, warning, passed, not_applicable };
Literal to_literal(Standing standing);

/// A report compared with a baseline. The report must outlive this object.
struct Assessment {
    const check::Report& report;
    Baseline known = {};    ///< failures on the baseline
    Baseline fixed = {};    ///< entries that pass now; an error, because they must be removed, except with --since
    Baseline untried = {};  ///< entries that this check did not judge
    std::string repeat_with = {};  ///< the command that repeats the check
    std::string date = {};         ///< when it was checked: "2026-11-17 16:20 UTC"
    std::string since = {};        ///< the file of --since: changes are shown, and a fixed failure is no error
    bool interrupted = false;      ///< by the user

    Standing standing(const check::Finding& finding) const;
    std::size_t count(Standing standing) const;
};

Assessment judge(const check::Report& report, const Baseline& baseline = {});

/// Returns "1 failure", "2 failures".
std::string counted(std::size_t n, std::string_view noun);

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

/// Tells apart what the server does itself and what its SDK does.
enum class Origin { own, sdk };
std::vector<Problem> problems(const Assessment& verdict, Standing standing, Origin origin);

/// Returns a sentence such as "1 failure and 12 warnings come from X, as in other servers with this SDK", or nothing.
std::string about_sdk(const Assessment& verdict);
/// Returns at most three lines that say what to fix first: the server's own failures, then those of its SDK, then its
/// own warnings. The most severe come first.
std::vector<std::string> fix_first(const Assessment& verdict);
/// Returns the result in two words at most: "ok", "FAILED", "fixed", "not checked", "incomplete", "interrupted".
std::string_view result_words(const Assessment& verdict);
/// Returns lines such as "fixed: RPC-4.same-id@2025-11-25", for --since.
std::vector<std::string> changes(const Assessment& verdict);

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
