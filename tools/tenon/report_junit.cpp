// --junit: XML for CI servers.
#include "report_formats.hpp"

namespace tenon::program {
namespace {

struct Counts {
    std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;

    void operator+=(const Counts& more) {
        tests += more.tests, failures += more.failures, errors += more.errors, skipped += more.skipped;
    }
};

std::string attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + markup(value) + "\"";
}

std::string attributes(const Counts& counts, Duration took) {
    return attribute("tests", std::to_string(counts.tests)) + attribute("failures", std::to_string(counts.failures)) +
           attribute("errors", std::to_string(counts.errors)) + attribute("skipped", std::to_string(counts.skipped)) +
           attribute("time", std::to_string(seconds(took)));
}

struct Suite {
    explicit Suite(std::string_view its_name) : name(its_name) {}

    void add(std::string_view what, const std::string& inside) {
        ++counts.tests;
        cases += "    <testcase" + attribute("classname", name) + attribute("name", what);
        cases += inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n";
    }
    std::string text() const {
        return "  <testsuite" + attribute("name", name) + attributes(counts, {}) + ">\n" + cases + "  </testsuite>\n";
    }

    std::string name;
    Counts counts = {};
    std::string cases = {};
};

std::string failure(std::string_view type, std::string_view message, const std::string& account) {
    return "<failure" + attribute("type", type) + attribute("message", message) + ">" + markup(account) + "</failure>";
}

std::string skipped(const std::string& why) { return "<skipped" + attribute("message", why) + "/>"; }

std::string case_name(const check::Finding& finding) {
    return fingerprint(identity_of(finding)) + ": " + std::string(finding.rule->title);
}

void add_finding(Suite& suite, const check::Finding& finding, Standing standing, std::string_view sdk) {
    std::string inside;
    if (standing == Standing::failed) {
        ++suite.counts.failures;
        inside = failure(check::to_string(finding.rule->severity), finding.detail, plain_account(finding, sdk));
    } else if (standing == Standing::known) {
        ++suite.counts.skipped;
        inside = skipped("known to fail: " + finding.detail);
    } else if (standing == Standing::not_applicable) {
        ++suite.counts.skipped;
        inside = skipped(finding.detail);
    } else if (standing == Standing::warning) {
        inside = "<system-out>" + markup("warning: " + plain_account(finding, sdk)) + "</system-out>";
    }
    suite.add(case_name(finding), inside);
}

// Returns the suite for results that belong to the whole check and not to a rule.
Suite suite_of_the_check(const Assessment& verdict, const std::string& prefix) {
    Suite out(prefix + "check");
    std::string inside;
    if (!verdict.report.incomplete.empty()) {
        ++out.counts.errors;
        inside = "<error" + attribute("type", "incomplete") + attribute("message", verdict.report.incomplete) + "/>";
    }
    out.add("the check was done to its end", inside);
    for (const KnownFailure& entry : verdict.since.empty() ? verdict.fixed : Baseline()) {
        ++out.counts.failures;
        out.add("baseline: " + fingerprint(entry),
                failure("fixed", "fixed: take it off the baseline", "it is on the baseline, and passes now"));
    }
    return out;
}

}  // namespace

std::string report_as_junit(const Assessment& verdict) {
    return junit_of(verdict.report.target, {{"", &verdict}}, verdict.report.took);
}

std::string junit_of(std::string_view title, const NamedVerdicts& verdicts, Duration took) {
    std::vector<Suite> suites;
    for (const auto& [name, verdict] : verdicts) {
        const std::string prefix = name.empty() ? std::string() : name + ": ";
        suites.push_back(suite_of_the_check(*verdict, prefix));
        for (const Group& group : groups(verdict->report)) {
            Suite& suite = suites.emplace_back(prefix + std::string(group.name));
            for (const check::Finding* finding : group.findings)
                add_finding(suite, *finding, verdict->standing(*finding), verdict->report.sdk);
        }
    }
    Counts all;
    for (const Suite& suite : suites) all += suite.counts;
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
                      attribute("name", "tenon check " + std::string(title)) + attributes(all, took) + ">\n";
    for (const Suite& suite : suites) out += suite.text();
    return out + "</testsuites>\n";
}

}  // namespace tenon::program
