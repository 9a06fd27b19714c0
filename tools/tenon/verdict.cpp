#include "verdict.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tenon::program {
namespace {

using check::Finding;
using check::Outcome;

std::size_t count_of(const check::Report& report, const KnownFailure& entry, Outcome outcome) {
    return static_cast<std::size_t>(std::ranges::count_if(report.findings, [&](const Finding& finding) {
        return finding.outcome == outcome && identity_of(finding) == entry;
    }));
}

bool says_the_same(const Finding& a, const Finding& b) {
    return a.rule == b.rule && a.detail == b.detail && a.of_sdk == b.of_sdk;
}

}  // namespace

KnownFailure identity_of(const Finding& finding) { return {std::string(finding.rule->id), finding.revision}; }

std::string fingerprint(const KnownFailure& failure) {
    return failure.revision.empty() ? failure.rule : failure.rule + "@" + failure.revision;
}

Literal to_literal(Standing standing) {
    switch (standing) {
        case Standing::failed: return "failed";
        case Standing::known: return "known";
        case Standing::warning: return "warning";
        case Standing::passed: return "passed";
        case Standing::not_applicable: return "not applicable";
    }
    return "";
}

Standing Assessment::standing(const Finding& finding) const {
    switch (finding.outcome) {
        case Outcome::pass: return Standing::passed;
        case Outcome::warning: return Standing::warning;
        case Outcome::not_applicable: return Standing::not_applicable;
        case Outcome::fail: break;
    }
    return known.contains(identity_of(finding)) ? Standing::known : Standing::failed;
}

std::size_t Assessment::count(Standing wanted) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(report.findings, [&](const Finding& finding) { return standing(finding) == wanted; }));
}

Assessment judge(const check::Report& report, const Baseline& baseline) {
    Assessment out{.report = report};
    for (const KnownFailure& entry : baseline) {
        const bool fails = count_of(report, entry, Outcome::fail) > 0;
        const bool passes = count_of(report, entry, Outcome::pass) > 0;
        (fails ? out.known : passes ? out.fixed : out.untried).insert(entry);
    }
    return out;
}

Status status_of(const Assessment& verdict) {
    if (verdict.interrupted) return Status::interrupted;
    const bool outdated = verdict.since.empty() && !verdict.fixed.empty();
    if (verdict.count(Standing::failed) > 0 || outdated) return Status::check_failed;
    if (verdict.report.incomplete.empty()) return Status::ok;
    return verdict.report.findings.empty() ? Status::connection : Status::timeout;
}

std::string Problem::revisions() const {
    std::string out;
    for (const Finding* finding : findings) {
        if (finding->revision.empty()) continue;
        if (!out.empty()) out += ", ";
        out += finding->revision;
    }
    return out;
}

std::vector<Problem> problems(const Assessment& verdict, Standing standing) {
    std::vector<Problem> out;
    for (const Finding& finding : verdict.report.findings) {
        if (verdict.standing(finding) != standing) continue;
        const auto same =
            std::ranges::find_if(out, [&](const Problem& problem) { return says_the_same(problem.first(), finding); });
        if (same != out.end())
            same->findings.push_back(&finding);
        else
            out.push_back({finding.rule, {&finding}});
    }
    std::ranges::stable_sort(out, {}, [](const Problem& problem) { return problem.rule->severity; });
    return out;
}

std::string_view group_of(std::string_view rule_id) { return rule_id.substr(0, rule_id.find('-')); }

std::vector<Group> groups(const check::Report& report) {
    std::vector<Group> out;
    for (const Finding& finding : report.findings) {
        const std::string_view name = group_of(finding.rule->id);
        auto group = std::ranges::find(out, name, &Group::name);
        if (group == out.end()) group = out.insert(out.end(), Group{name});
        group->findings.push_back(&finding);
    }
    return out;
}

std::size_t count(const Assessment& verdict, const Group& group, Standing wanted) {
    return static_cast<std::size_t>(std::ranges::count_if(
        group.findings, [&](const Finding* finding) { return verdict.standing(*finding) == wanted; }));
}

SafeText group_title(std::string_view name) {
    struct Title {
        std::string_view name;
        Literal title;
    };
    static constexpr std::array titles = {Title{"RPC", "messages"},   Title{"INT", "integrity of the stream"},
                                          Title{"LIFE", "lifecycle"}, Title{"TOOL", "tools"},
                                          Title{"RES", "resources"},  Title{"PROMPT", "prompts"},
                                          Title{"STDIO", "stdio"},    Title{"HTTP", "Streamable HTTP"},
                                          Title{"SEC", "security"},   Title{"PROP", "properties"}};
    const auto* const known = std::ranges::find(titles, name, &Title::name);
    return known == titles.end() ? safe_line(name) : SafeText(known->title);
}

double seconds(Duration time) { return std::chrono::duration<double>(time).count(); }

SafeText shown_seconds(Duration time) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f s", seconds(time));
    return safe_line(text.data());
}

}  // namespace tenon::program
