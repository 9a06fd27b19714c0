// check_server(): runs all checks for each revision and reports the results.
#include <algorithm>
#include <bit>
#include <set>

#include <tenon/check.hpp>

#include "check/own_thread.hpp"
#include "check/server/revisions.hpp"
#include "check/server/sdk.hpp"
#include "check/server/server_rules.hpp"
#include "check/wire/shown_url.hpp"
#include "framing/http_fields.hpp"
#include "io/random.hpp"

namespace tenon::check {
namespace {

using protocol::Trait;

// Returns why a rule does not apply here; empty when it applies.
std::string out_of_place(const ServerRule& row, Probe& probe) {
    if (row.rule.clause(probe.rules().name()).level == Level::none) return "this revision does not have the rule";
    if (row.is_attack && !probe.subject().options.security) return "only with --security";
    if (row.transport == Transport::stdio && !probe.stdio()) return "it is for stdio only";
    if (row.transport == Transport::http && !probe.http()) return "it is for Streamable HTTP only";
    if (!row.capability.empty() && !probe.declares(row.capability))
        return "the server does not declare " + std::string(row.capability);
    return {};
}

// The checks of one revision of one server.
class Run {
 public:
    Run(Subject& subject, protocol::Revision revision, std::vector<Finding>& findings)
        : subject_(subject),
          rules_(revision),
          judge_(subject.transcript, rules_),
          probe_(subject, rules_, judge_),
          findings_(findings) {}

    /// Runs all checks. Calls `tell(title)` before each one. Returns false when the time ran out before the end.
    bool all(const std::vector<const ServerRule*>& rows, const std::function<void(std::string_view)>& tell) {
        std::map<std::string_view, Finding> done;
        probe_.has_failed = [&](std::string_view rule) { return has_failed(done, rule); };
        for (const ServerRule* row : rows) {
            if (subject_.over() || !lost_.empty() || subject_.cannot_start()) break;
            tell(row->rule.title);
            const Finding& found = done.emplace(row->rule.id, one(*row)).first->second;
            if (is_bad(found.outcome) && !reachable()) lost_ = row->rule.id;
        }
        probe_.has_failed = [](std::string_view) { return false; };
        const bool whole = !subject_.over() && lost_.empty() && !subject_.cannot_start();
        for (const ServerRule* row : rows)
            if (const auto it = done.find(row->rule.id); it != done.end()) findings_.push_back(with_judge(it->second));
        return whole;
    }
    const Audit& audit() const { return judge_.audit(); }
    Sdk sdk() const { return judge_.sdk_signs().sdk(); }
    /// Returns the rule whose check made the server unreachable; empty when the server is still there.
    std::string_view lost() const { return lost_; }

 private:
    bool has_failed(const std::map<std::string_view, Finding>& done, std::string_view rule) const {
        const auto is_part = [&](std::string_view id) {
            return id.starts_with(rule) && (id[rule.size()] == '.' || id[rule.size()] == '-');
        };
        const auto bad = [&](const auto& entry) {
            const Outcome outcome = entry.second.outcome;
            return is_part(entry.first) && (outcome == Outcome::fail || outcome == Outcome::warning);
        };
        const auto charged = [&](const auto& entry) { return is_part(entry.first) && entry.second.failures > 0; };
        return std::ranges::any_of(done, bad) || std::ranges::any_of(judge_.tallies(), charged);
    }

    Finding one(const ServerRule& row) {
        Finding out{find_rule(row.rule.id), Outcome::not_applicable, std::string(rules_.name()), {}};
        out.detail = out_of_place(row, probe_);
        if (!out.detail.empty()) return out;
        if (row.check == by_judge) {
            left_to_judge_.insert(row.rule.id);
            return out;
        }
        const std::size_t mark = subject_.transcript.mark();
        subject_.failed_start.clear();
        probe_.forget_used();
        subject_.limited = false;
        Verdict verdict = row.check(probe_);
        // A copy that does not start does not break the rule: another program may own a resource that it needs.
        if (verdict.kind == Verdict::Kind::fail && !subject_.failed_start.empty())
            verdict = not_applicable("could not be checked: a start of the server did not answer (" +
                                     subject_.failed_start + ")");
        if (subject_.flooded) verdict = not_applicable("could not be checked: the server sends messages without end");
        if (subject_.limited) verdict = not_applicable("could not be checked: there were too many requests (HTTP 429)");
        out.evidence = verdict.evidence.empty() ? subject_.transcript.since(mark) : verdict.evidence;
        if (verdict.kind == Verdict::Kind::fail) complete(out.evidence);
        out.detail = verdict.detail;
        out.cases = verdict.cases;
        out.counterexample = verdict.counterexample;
        switch (verdict.kind) {
            case Verdict::Kind::pass: out.outcome = Outcome::pass; break;
            case Verdict::Kind::fail: out.outcome = verdict.is_advice ? Outcome::warning : bad(row.rule); break;
            case Verdict::Kind::not_applicable: break;
            case Verdict::Kind::judged: left_to_judge_.insert(row.rule.id); break;
        }
        return out;
    }

    // A failure shows what was sent and what came back, or says that there is nothing to show.
    void complete(std::vector<Evidence>& evidence) const {
        using Direction = Evidence::Direction;
        const auto has = [&](Direction direction) {
            return std::ranges::find(evidence, direction, &Evidence::direction) != evidence.end();
        };
        if (!has(Direction::sent)) {
            const std::vector<Evidence> used = probe_.used();
            evidence.insert(evidence.begin(), used.begin(), used.end());
        }
        if (!has(Direction::sent)) evidence.push_back({Direction::note, "(nothing was sent for this rule)"});
        if (!has(Direction::received)) evidence.push_back({Direction::note, "(nothing came back)"});
    }

    static bool is_bad(Outcome outcome) { return outcome == Outcome::fail || outcome == Outcome::warning; }

    // A server process can be started again, so it is always reachable. A server with a URL may be gone.
    bool reachable() {
        if (!probe_.http()) return true;
        const auto talk = probe_.silent();
        const auto exchange = talk->exchange(talk->http_request("GET"));
        talk->wait_for(exchange, true);
        subject_.web->abandon(exchange);
        return exchange->status() != 0;
    }

    Outcome bad(const Rule& rule) const {
        return rule.clause(rules_.name()).level == Level::must ? Outcome::fail : Outcome::warning;
    }

    // The results of the Judge, which saw every message, take precedence over the result of one check.
    Finding with_judge(Finding finding) {
        const bool was_judged = left_to_judge_.contains(finding.rule->id);
        const auto it = judge_.tallies().find(finding.rule->id);
        if (it == judge_.tallies().end()) {
            if (was_judged) finding.detail = "nothing to judge was seen";
            return finding;
        }
        const Tally& tally = it->second;
        if (tally.failures > 0) {
            finding.outcome = bad(*finding.rule);
            finding.detail = tally.detail;
            finding.evidence = tally.evidence;
            finding.cases = tally.cases;
        } else if (was_judged) {
            finding.outcome = Outcome::pass;
            finding.detail.clear();
            finding.cases = tally.cases;
        }
        return finding;
    }

    Subject& subject_;
    protocol::Rules rules_;
    Judge judge_;
    Probe probe_;
    std::vector<Finding>& findings_;
    std::set<std::string_view> left_to_judge_;  // rules whose result the Judge decides
    std::string_view lost_;
};

void add(Audit& sum, const Audit& one) {
    sum.handlers = std::max(sum.handlers, one.handlers);
    sum.deviating_handlers = std::max(sum.deviating_handlers, one.deviating_handlers);
    if (sum.deviations == 0) {
        sum.first_offence = one.first_offence;
        sum.detail = one.detail;
        sum.remedy = one.remedy;
    }
    sum.messages += one.messages;
    sum.deviations += one.deviations;
}

std::string label_of(const Target& target) {
    if (!target.url.empty()) return shown_url(target.url);
    std::string out;
    for (const std::string& word : target.command) out += (out.empty() ? "" : " ") + word;
    return out;
}

void sort_by_catalogue(std::vector<Finding>& findings) {
    std::ranges::stable_sort(findings, {}, [](const Finding& finding) { return finding.rule; });
}

std::string why_incomplete(const Subject& subject, std::string_view lost) {
    if (!lost.empty()) return "since " + std::string(lost) + " was tried, the server could not be reached";
    if (subject.flooded)
        return "the server sent more than " + std::to_string(Subject::max_unasked) + " messages or " +
               std::to_string(Subject::max_unasked_bytes / (1024 * 1024)) +
               " MiB on one connection, messages that no request asked for";
    if (subject.cannot_start()) return "the server does not answer any more when it is started again";
    return subject.options.stop.stop_requested() ? "it was interrupted"
                                                 : "the time ran out before everything was tried";
}

void run_checks(Subject& subject, const SupportedRevisions& supported, Report& report) {
    std::vector<const ServerRule*> rows;
    for (const ServerRule& row : all_server_rules())
        if (is_selected(row.rule.id, subject.options.only)) rows.push_back(&row);
    // Properties stay last: they skip defects that earlier checks found.
    std::ranges::stable_sort(rows, {}, [](const ServerRule* row) { return row->connection; });
    const std::size_t total = rows.size() * supported.revisions.size();
    std::size_t done = 0;
    Sdk sdk;
    report.audit.emplace();
    for (const protocol::Revision revision : supported.revisions) {
        report.revisions.emplace_back(protocol::Rules(revision).name());
        Run run(subject, revision, report.findings);
        const bool whole = run.all(rows, [&](std::string_view what) {
            if (subject.options.progress) subject.options.progress(what, done, total);
            ++done;
        });
        add(*report.audit, run.audit());
        if (sdk.name.empty()) sdk = run.sdk();
        if (whole) continue;
        report.incomplete = why_incomplete(subject, run.lost());
        break;
    }
    if (report.incomplete.empty() && subject.was_limited)
        report.incomplete = "the server limits the number of requests (HTTP 429): allow more of them, and check again";
    sort_by_catalogue(report.findings);
    for (Finding& finding : report.findings)
        finding.of_sdk = (finding.outcome == Outcome::fail || finding.outcome == Outcome::warning) &&
                         is_known_of_sdk(sdk, report.transport, finding);
    report.sdk = sdk.name;
}

Options with_seed(Options options) {
    while (options.seed == 0)
        options.seed = std::bit_cast<std::uint64_t>(io::random_bytes<8>()) >> 16U;  // fewer digits are easier to type
    return options;
}

Report check_here(const Options& given) {
    const TimePoint begin = Clock::now();
    const Options options = with_seed(given);
    Report report{label_of(options.target), options.target.url.empty() ? "stdio" : "http"};
    report.seed = options.seed;
    try {
        Subject subject(options);
        const SupportedRevisions supported = revisions_of(subject);
        if (subject.sse) report.transport = "sse";
        report.name = supported.name;
        report.version = supported.version;
        if (supported.revisions.empty())
            report.incomplete = "no handshake succeeds in any revision: " + supported.why;
        else
            run_checks(subject, supported, report);
    } catch (const std::exception& e) {
        report.incomplete = e.what();
    }
    report.took = Clock::now() - begin;
    return report;
}

}  // namespace

Report check_server(const Options& options) {
    Report out;
    on_own_thread([&] { out = check_here(options); });
    return out;
}

}  // namespace tenon::check
