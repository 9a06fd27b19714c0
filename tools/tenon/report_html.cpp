// --html: one page for people, with the failures at the top.
#include <array>

#include "report_formats.hpp"
#include "report_html_page.hpp"

namespace tenon::program {
namespace {

std::string element(std::string_view tag, std::string_view text) {
    return "<" + std::string(tag) + ">" + markup(text) + "</" + std::string(tag) + ">";
}

std::string_view class_of(Standing standing) {
    return standing == Standing::not_applicable ? "na" : to_literal(standing).view();
}

std::string term(std::string_view name, const std::string& definition) {
    return element("dt", name) + "<dd>" + definition + "</dd>\n";
}

std::string text_term(std::string_view name, std::string_view words) {
    return words.empty() ? std::string() : term(name, markup(words));
}

// The address comes from the catalogue, not from the server.
std::string link(const std::string& url) {
    return "<a href=\"" + markup(url) + "\" rel=\"noreferrer\">" + markup(url) + "</a>";
}

std::string preformatted(std::string_view bytes) { return element("pre", bytes); }

std::string evidence_of(const check::Finding& finding) {
    std::string out;
    for (const check::Evidence& piece : finding.evidence) {
        std::string shown = preformatted(piece.bytes);
        if (piece.left_out > 0) shown += element("p", "and " + std::to_string(piece.left_out) + " bytes more");
        out += term(to_string(piece.direction), shown);
    }
    if (!finding.counterexample.empty()) out += term("smallest case", preformatted(finding.counterexample));
    return out;
}

std::string examples_of(const check::Rule& rule) {
    std::string out = "<details><summary>The rule, with an example</summary><dl>\n" + text_term("rule", rule.text);
    if (!rule.right.empty()) out += term("right", preformatted(rule.right));
    if (!rule.wrong.empty()) out += term("wrong", preformatted(rule.wrong));
    return out + "</dl></details>\n";
}

std::string card(const Problem& problem, Standing standing) {
    const check::Rule& rule = *problem.rule;
    const check::Finding& finding = problem.first();
    const bool wrong = standing != Standing::passed && standing != Standing::not_applicable;
    std::string out = "<article class=\"" + std::string(class_of(standing)) + "\">\n<h3><span class=\"tag\">" +
                      std::string(to_literal(standing).view()) + "</span> <code>" + markup(rule.id) + "</code> " +
                      markup(rule.title) + "</h3>\n<dl>\n";
    out += text_term(wrong ? "seen" : "note", finding.detail);
    out += text_term("revisions", problem.revisions());
    if (finding.cases > 1) out += text_term("cases", std::to_string(finding.cases));
    if (wrong) {
        out += text_term("severity", check::to_string(rule.severity));
        out += text_term("what to do", rule.remedy);
        out += term("source", link(rule.clause(finding.revision).source()));
    }
    const std::string evidence = evidence_of(finding);
    if (wrong) return out + evidence + "</dl>\n" + examples_of(rule) + "</article>\n";
    out += "</dl>\n";
    if (!evidence.empty()) out += "<details><summary>Evidence</summary><dl>\n" + evidence + "</dl></details>\n";
    return out + "</article>\n";
}

std::string cards(const Assessment& verdict, Standing standing) {
    std::string out;
    for (const Problem& problem : problems(verdict, standing, Origin::own)) out += card(problem, standing);
    return out;
}

std::string cards_of_sdk(const Assessment& verdict) {
    std::string out;
    for (const Standing standing : {Standing::failed, Standing::warning, Standing::known})
        for (const Problem& problem : problems(verdict, standing, Origin::sdk)) out += card(problem, standing);
    return out;
}

std::string section(std::string_view title, const std::string& inside) {
    return inside.empty() ? std::string() : "<section>\n" + element("h2", title) + "\n" + inside + "</section>\n";
}

std::string folded(std::string_view title, std::size_t count, const std::string& inside) {
    if (inside.empty()) return {};
    return "<details class=\"group\"><summary>" + markup(title) + " (" + std::to_string(count) + ")</summary>\n" +
           inside + "</details>\n";
}

std::string list(const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += element("li", line);
    return out.empty() ? out : "<ol>" + out + "</ol>\n";
}

std::string sdk(const Assessment& verdict) {
    const std::string inside = cards_of_sdk(verdict), words = about_sdk(verdict);
    if (inside.empty()) return {};
    return "<details class=\"group\"><summary>" + markup(words.empty() ? "Known failures of the SDK" : words) +
           "</summary>\n" + inside + "</details>\n";
}

std::string sentence_of(const Assessment& verdict) {
    if (const auto failed = verdict.count(Standing::failed); failed > 0)
        return counted(failed, "failure") + ": this breaks the protocol.";
    if (status_of(verdict) == Status::check_failed) return "An entry of the baseline is fixed: take it off.";
    if (!verdict.report.incomplete.empty()) return "Nothing wrong was found, but the check is incomplete.";
    return verdict.count(Standing::known) > 0 ? "Nothing new is wrong." : "Everything that was checked is right.";
}

std::string head(const Assessment& verdict) {
    const check::Report& report = verdict.report;
    std::string revisions;
    for (const std::string& revision : report.revisions) revisions += (revisions.empty() ? "" : ", ") + revision;
    const std::string who = report.name.empty() ? report.target : report.name + " " + report.version;
    std::string out = "<header>\n" + element("h1", who) + "\n<p class=\"soft\">" + element("code", report.target) +
                      " · " + markup(report.transport) + (revisions.empty() ? "" : " · " + markup(revisions)) + " · " +
                      std::string(shown_seconds(report.took).view()) + "</p>\n<p class=\"soft\">" +
                      (verdict.date.empty() ? "" : markup(verdict.date) + " · ") + "tenon " + TENON_VERSION +
                      (report.sdk.empty() ? "" : " · made with " + element("code", report.sdk)) +
                      "</p>\n<p class=\"verdict\">" + markup(sentence_of(verdict)) + "</p>\n";
    if (!report.incomplete.empty()) out += "<p>" + element("b", "Incomplete: ") + markup(report.incomplete) + "</p>\n";
    out += "<ul class=\"counts\">";
    for (const Standing standing :
         {Standing::failed, Standing::known, Standing::warning, Standing::passed, Standing::not_applicable})
        out += "<li class=\"" + std::string(class_of(standing)) + "\"><b>" + std::to_string(verdict.count(standing)) +
               "</b>" + std::string(to_literal(standing).view()) + "</li>";
    return out + "</ul>\n";
}

std::string search_field() {
    return "<input class=\"find\" type=\"search\" placeholder=\"Search the findings\" "
           "aria-label=\"Search the findings\">\n";
}

std::string fixed(const Assessment& verdict) {
    std::string out;
    for (const KnownFailure& entry : verdict.since.empty() ? verdict.fixed : Baseline())
        out += "<article class=\"failed\"><h3>" + element("code", fingerprint(entry)) +
               "</h3><p>It is on the baseline and passes now: take it off.</p></article>\n";
    return out;
}

std::string table(const Assessment& verdict) {
    std::string out = "<table><thead><tr><th>Rules</th>";
    constexpr std::array all = {Standing::passed, Standing::failed, Standing::known, Standing::warning,
                                Standing::not_applicable};
    for (const Standing standing : all) out += "<th class=\"n\">" + std::string(to_literal(standing).view()) + "</th>";
    out += "</tr></thead><tbody>\n";
    for (const Group& group : groups(verdict.report)) {
        out += "<tr>" + element("td", std::string(group.name) + " " + std::string(group_title(group.name).view()));
        for (const Standing standing : all)
            out += "<td class=\"n\">" + std::to_string(count(verdict, group, standing)) + "</td>";
        out += "</tr>\n";
    }
    return out + "</tbody></table>\n";
}

std::string audit(const check::Report& report) {
    if (!report.audit) return {};
    const check::Audit& found = *report.audit;
    std::string out = "<article class=\"" + std::string(found.passed() ? "passed" : "failed") + "\"><dl>\n";
    out += text_term("messages", std::to_string(found.messages) + ", of them " + std::to_string(found.deviations) +
                                     " that break a rule");
    out += text_term("handlers", std::to_string(found.handlers) + ", of them " +
                                     std::to_string(found.deviating_handlers) + " that deviate");
    if (!found.passed()) {
        out += text_term("what is wrong", found.detail);
        out += term("first message", preformatted(found.first_offence));
        out += text_term("what to do", found.remedy);
    }
    return out + "</dl></article>\n";
}

std::string repeat(const Assessment& verdict) {
    std::string out = element("p", "Generated cases come from the seed " + std::to_string(verdict.report.seed) + ".");
    if (!verdict.repeat_with.empty()) out += preformatted(verdict.repeat_with);
    return out;
}

// Everything about one server, without its head.
std::string body(const Assessment& verdict) {
    const auto rest =
        folded("Passed", verdict.count(Standing::passed), cards(verdict, Standing::passed)) +
        folded("Not applicable", verdict.count(Standing::not_applicable), cards(verdict, Standing::not_applicable));
    return section("Fix first", list(fix_first(verdict))) + section("Changes", list(changes(verdict))) +
           section("Failed", cards(verdict, Standing::failed)) + section("Fixed", fixed(verdict)) +
           section("Warnings", cards(verdict, Standing::warning)) +
           section("Known failures", cards(verdict, Standing::known)) + section("From the SDK", sdk(verdict)) +
           section("By group", table(verdict)) + section("Everything else", rest) +
           section("Audit: jsonrpc-messages", audit(verdict.report)) + section("To repeat it", repeat(verdict));
}

std::string page(std::string_view title, const std::string& inside) {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';"
           "script-src '" +
           std::string(html::script_hash) + "'\">\n" + element("title", title) + "\n<style>" +
           std::string(html::style) + "</style>\n</head>\n<body>\n" + inside + "<script>" + std::string(html::script) +
           "</script>\n</body>\n</html>\n";
}

std::string_view result_class(const Assessment& verdict) {
    return status_of(verdict) == Status::ok ? "passed" : status_of(verdict) == Status::check_failed ? "failed" : "na";
}

std::string fleet_table(const NamedVerdicts& verdicts) {
    std::string out =
        "<table><thead><tr><th>Server</th><th>Result</th><th class=\"n\">Failed</th><th class=\"n\">Warnings</th>"
        "<th class=\"n\">Passed</th><th>Fix first</th></tr></thead><tbody>\n";
    std::size_t number = 0;
    for (const auto& [name, verdict] : verdicts) {
        const auto first = fix_first(*verdict);
        out += "<tr class=\"" + std::string(result_class(*verdict)) + "\"><td><a href=\"#server-" +
               std::to_string(++number) + "\">" + markup(name) + "</a></td><td class=\"tag\">" +
               markup(result_words(*verdict)) + "</td><td class=\"n\">" +
               std::to_string(verdict->count(Standing::failed)) + "</td><td class=\"n\">" +
               std::to_string(verdict->count(Standing::warning)) + "</td><td class=\"n\">" +
               std::to_string(verdict->count(Standing::passed)) + "</td>" +
               element("td", first.empty() ? "" : first.front()) + "</tr>\n";
    }
    return out + "</tbody></table>\n";
}

}  // namespace

std::string report_as_html(const Assessment& verdict) {
    return page("tenon check: " + verdict.report.target,
                head(verdict) + search_field() + "</header>\n<main>\n" + body(verdict) + "</main>\n");
}

std::string fleet_as_html(std::string_view file, const NamedVerdicts& verdicts) {
    std::string inside = "<header>\n" + element("h1", "Servers of " + std::string(file)) + "\n";
    if (!verdicts.empty())
        inside += "<p class=\"soft\">" + markup(verdicts.front().second->date) + " · tenon " + TENON_VERSION + "</p>\n";
    inside += search_field() + "</header>\n<main>\n" + fleet_table(verdicts);
    std::size_t number = 0;
    for (const auto& [name, verdict] : verdicts)
        inside += "<section id=\"server-" + std::to_string(++number) + "\">\n" + element("h2", name) + "\n" +
                  head(*verdict) + "</header>\n" + body(*verdict) + "</section>\n";
    return page("tenon check: " + std::string(file), inside + "</main>\n");
}

}  // namespace tenon::program
