// Says in a few words what a report means: what to fix first, what comes from an SDK, what has changed.
#include <algorithm>

#include "verdict.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t most_advice = 3;

std::string line_for(const Problem& problem) {
    return std::string(problem.rule->id) + " (" + std::string(check::to_string(problem.rule->severity)) +
           "): " + std::string(problem.rule->remedy);
}

std::vector<std::string> lines_for(const std::vector<Problem>& problems) {
    std::vector<std::string> out;
    for (const Problem& problem : problems)
        if (out.size() < most_advice) out.push_back(line_for(problem));
    return out;
}

}  // namespace

std::string counted(std::size_t n, std::string_view noun) {
    return std::to_string(n) + " " + std::string(noun) + (n == 1 ? "" : "s");
}

std::vector<Problem> problems(const Assessment& verdict, Standing standing, Origin origin) {
    std::vector<Problem> out = problems(verdict, standing);
    std::erase_if(out, [&](const Problem& problem) { return problem.first().of_sdk != (origin == Origin::sdk); });
    return out;
}

std::string about_sdk(const Assessment& verdict) {
    const std::size_t failures = problems(verdict, Standing::failed, Origin::sdk).size(),
                      warnings = problems(verdict, Standing::warning, Origin::sdk).size();
    if (failures + warnings == 0) return {};
    std::string out = failures > 0 ? counted(failures, "failure") : std::string();
    if (warnings > 0) out += (out.empty() ? "" : " and ") + counted(warnings, "warning");
    return out + (failures + warnings == 1 ? " comes" : " come") + " from " + verdict.report.sdk +
           ": other servers with this SDK do the same";
}

std::vector<std::string> fix_first(const Assessment& verdict) {
    auto out = lines_for(problems(verdict, Standing::failed, Origin::own));
    if (!out.empty()) return out;
    if (const auto theirs = problems(verdict, Standing::failed, Origin::sdk); !theirs.empty())
        return {"update " + verdict.report.sdk + ", or report " + std::string(theirs.front().rule->id) +
                " to its authors: all failures come from it"};
    return lines_for(problems(verdict, Standing::warning, Origin::own));
}

std::string_view result_words(const Assessment& verdict) {
    switch (status_of(verdict)) {
        case Status::ok: return "ok";
        case Status::check_failed: return verdict.count(Standing::failed) > 0 ? "FAILED" : "fixed";
        case Status::interrupted: return "interrupted";
        case Status::timeout: return "incomplete";
        default: return "not checked";
    }
}

std::vector<std::string> changes(const Assessment& verdict) {
    std::vector<std::string> out;
    if (verdict.since.empty()) return out;
    for (const check::Finding& finding : verdict.report.findings)
        if (verdict.standing(finding) == Standing::failed) out.push_back("new: " + fingerprint(identity_of(finding)));
    for (const KnownFailure& entry : verdict.fixed) out.push_back("fixed: " + fingerprint(entry));
    return out;
}

}  // namespace tenon::program
