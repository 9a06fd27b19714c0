#include "report_terminal.hpp"

#include <algorithm>

#include "layout.hpp"
#include "progress_line.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t most_shown_bytes = 400;  // of one piece of evidence
constexpr std::size_t most_shown_pieces = 6;   // of one finding: the last ones, which are closest to the failure
constexpr std::size_t indent = 4;

struct Style {
    Literal word;
    Look look;
};

Style style_of(Standing standing) {
    switch (standing) {
        case Standing::failed: return {"FAIL", Look::red};
        case Standing::known: return {"known", Look::yellow};
        case Standing::warning: return {"warn", Look::yellow};
        case Standing::passed: return {"pass", Look::green};
        case Standing::not_applicable: break;
    }
    return {"n/a", Look::dim};
}

Literal arrow_of(check::Evidence::Direction direction) {
    switch (direction) {
        case check::Evidence::Direction::sent: return "> ";
        case check::Evidence::Direction::received: return "< ";
        case check::Evidence::Direction::note: break;
    }
    return "# ";
}

SafeText transport_words(std::string_view transport) {
    if (transport == "http") return Literal("Streamable HTTP");
    return transport == "sse" ? SafeText("HTTP+SSE") : safe_line(transport);
}

// Returns an HTTP response without its fields, except the type of the content: the status line says the most. Leaves
// out blank lines at the end.
std::string shortened_message(std::string bytes) {
    const std::size_t end = bytes.find("\r\n\r\n");
    if (!bytes.starts_with("HTTP/1.1 ") || end == std::string::npos) {
        while (bytes.ends_with('\n') || bytes.ends_with('\r')) bytes.pop_back();
        return bytes;
    }
    std::string out = bytes.substr(0, bytes.find("\r\n"));
    for (std::size_t at = out.size() + 2; at < end;) {
        const std::size_t line_end = bytes.find("\r\n", at);
        const std::string line = bytes.substr(at, line_end - at);
        if (line.starts_with("Content-Type:") || line.starts_with("content-type:")) out += "\n" + line;
        at = line_end + 2;
    }
    return out + (end + 4 < bytes.size() ? "\n" + bytes.substr(end + 4) : "");
}

void write_styled(Out& out, Look look, const SafeText& text, std::size_t before = 0) {
    const std::size_t width = out.facts().width;
    for (const SafeText& line : wrap(text, width > before + 8 ? width - before : 8))
        out << spaces(before) << Styled(look, line) << "\n";
}

class ReportWriter {
 public:
    ReportWriter(Out& out, const Assessment& verdict, Detail detail) : out_(out), verdict_(verdict), detail_(detail) {}

    void write() {
        if (detail_ != Detail::brief) heading();
        problems_of(Standing::failed);
        if (detail_ != Detail::brief) {
            problems_of(Standing::known);
            problems_of(Standing::warning);
        }
        sdk();
        if (detail_ == Detail::full) {
            problems_of(Standing::passed);
            problems_of(Standing::not_applicable);
        }
        if (detail_ != Detail::brief) {
            table();
            audit();
        }
        baseline();
        advice();
        ending();
    }

 private:
    void heading() {
        const check::Report& report = verdict_.report;
        SafeText who = safe_line(report.name + " " + report.version);
        if (who.empty()) who = safe_line(report.target);
        write_styled(out_, Look::bold, who);
        SafeText how = "over " + transport_words(report.transport);
        for (std::size_t i = 0; i < report.revisions.size(); ++i)
            how += (i == 0 ? SafeText(", checked in ") : SafeText(", ")) + safe_line(report.revisions[i]);
        write_wrapped(out_, how);
        out_ << "\n";
    }

    // With full detail the findings of an SDK are shown like all others.
    void problems_of(Standing standing) {
        const bool all = detail_ == Detail::full;
        for (const Problem& problem : all ? problems(verdict_, standing) : problems(verdict_, standing, Origin::own))
            write_problem(problem, standing);
    }

    // Shows the findings of an SDK with one line each, because the author of the server cannot fix them.
    void sdk() {
        const std::string sentence = about_sdk(verdict_);
        if (sentence.empty() || detail_ == Detail::full) return;
        write_styled(out_, Look::bold, safe_line(sentence));
        for (const Standing standing : {Standing::failed, Standing::warning})
            for (const Problem& problem : problems(verdict_, standing, Origin::sdk)) write_line(problem, standing);
        write_wrapped(out_, SafeText("--verbose shows them in full"), indent);
        out_ << "\n";
    }

    void write_line(const Problem& problem, Standing standing) {
        const Style style = style_of(standing);
        const SafeText id = safe_line(problem.rule->id), title = safe_line(problem.rule->title);
        const std::size_t used = indent + SafeText(style.word).width() + 1 + id.width() + 2;
        const bool fits = used + title.width() <= out_.facts().width;
        out_ << spaces(indent) << Styled(style.look, style.word) << " " << id;
        if (fits) out_ << "  " << Styled(Look::dim, title);
        out_ << "\n";
        if (!fits) write_styled(out_, Look::dim, title, 2 * indent);
    }

    void advice() {
        const auto lines = fix_first(verdict_);
        if (lines.empty() || detail_ == Detail::brief) return;
        out_ << Styled(Look::bold, "fix first") << "\n";
        for (const std::string& line : lines) write_wrapped(out_, safe_text(line), indent);
        out_ << "\n";
    }

    void write_problem(const Problem& problem, Standing standing) {
        const Style style = style_of(standing);
        const check::Rule& rule = *problem.rule;
        out_ << Styled(style.look, style.word) << " " << Styled(Look::bold, safe_line(rule.id));
        const SafeText where = safe_line(problem.revisions());
        const std::size_t used = SafeText(style.word).width() + 2 + safe_line(rule.id).width();
        const bool fits = used + where.width() <= out_.facts().width;
        if (fits && !where.empty()) out_ << " " << Styled(Look::dim, where);
        out_ << "\n";
        if (!fits) write_styled(out_, Look::dim, where, indent);
        write_wrapped(out_, safe_line(rule.title), indent);
        const bool wrong = standing != Standing::passed && standing != Standing::not_applicable;
        if (!problem.first().detail.empty())
            write_labelled(wrong ? Literal("seen: ") : Literal(""), problem.first().detail);
        if (wrong || detail_ == Detail::full) write_evidence(problem.first());
        if (wrong) {
            write_labelled("do: ", rule.remedy);
            write_address("see: ", rule.clause(problem.first().revision).source());
        }
        out_ << "\n";
    }

    void write_labelled(Literal label, std::string_view words) {
        write_wrapped(out_, label + safe_text(words), indent);
    }

    // An address stays on one line, so that it can be clicked.
    void write_address(Literal label, std::string_view url) {
        out_ << spaces(indent) << label << safe_line(url) << "\n";
    }

    void write_evidence(const check::Finding& finding) {
        if (!finding.counterexample.empty()) write_labelled("smallest case: ", finding.counterexample);
        const std::size_t pieces = finding.evidence.size();
        const std::size_t first = first_shown(finding.evidence);
        if (first > 0)
            write_styled(out_, Look::dim,
                         "(" + number(static_cast<std::int64_t>(first)) + " messages before: --verbose shows them)",
                         indent);
        for (std::size_t i = first; i < pieces; ++i) write_piece(finding.evidence[i]);
    }

    // Shows the last pieces, and always the last message that was sent.
    std::size_t first_shown(const std::vector<check::Evidence>& evidence) const {
        if (detail_ == Detail::full || evidence.size() <= most_shown_pieces) return 0;
        const auto sent = std::find_if(evidence.rbegin(), evidence.rend(), [](const check::Evidence& piece) {
            return piece.direction == check::Evidence::Direction::sent;
        });
        const auto from_sent = static_cast<std::size_t>(sent - evidence.rbegin()) + 1;
        const std::size_t shown = sent == evidence.rend() ? most_shown_pieces : std::max(most_shown_pieces, from_sent);
        return evidence.size() - std::min(shown, evidence.size());
    }

    void write_piece(const check::Evidence& piece) {
        const SafeText all = safe_text(detail_ == Detail::full ? piece.bytes : shortened_message(piece.bytes));
        const bool shortened = detail_ != Detail::full && all.size() > most_shown_bytes;
        const SafeText shown = shortened ? all.slice(0, most_shown_bytes) : all;
        const std::size_t width = out_.facts().width > indent + 12 ? out_.facts().width - indent - 2 : 10;
        SafeText margin = arrow_of(piece.direction);
        for (const SafeText& line : wrap(shown, width)) {
            out_ << spaces(indent) << Styled(Look::dim, margin) << Styled(Look::cyan, line) << "\n";
            margin = SafeText("  ");
        }
        const std::size_t left_out = piece.left_out + all.size() - shown.size();
        if (left_out == 0) return;
        SafeText rest = "... " + number(static_cast<std::int64_t>(left_out)) + " bytes more";
        if (shortened) rest += ", --verbose shows them";
        write_styled(out_, Look::dim, rest, indent + 2);
    }

    void table() {
        Table table{{{"RULES", Look::bold},
                     {"PASSED"},
                     {"FAILED", Look::red},
                     {"KNOWN", Look::yellow},
                     {"WARNINGS", Look::yellow},
                     {"N/A", Look::dim}},
                    {}};
        for (const Group& group : groups(verdict_.report)) {
            const auto cell = [&](Standing standing) {
                const std::size_t n = count(verdict_, group, standing);
                return n == 0 ? SafeText() : number(static_cast<std::int64_t>(n));
            };
            table.rows.push_back({safe_line(group.name) + " " + group_title(group.name), cell(Standing::passed),
                                  cell(Standing::failed), cell(Standing::known), cell(Standing::warning),
                                  cell(Standing::not_applicable)});
        }
        write_table(out_, table);
        if (!table.rows.empty()) out_ << "\n";
    }

    void audit() {
        if (!verdict_.report.audit) return;
        const check::Audit& audit = *verdict_.report.audit;
        const auto n = [](std::size_t count) { return number(static_cast<std::int64_t>(count)); };
        write_wrapped(out_, "audit jsonrpc-messages: " + n(audit.messages) + " messages of the server, " +
                                n(audit.deviations) + " malformed; " + n(audit.handlers) + " methods were requested");
        if (!audit.passed()) {
            write_labelled("", audit.detail);
            write_piece({check::Evidence::Direction::received, audit.first_offence, 0});
            write_labelled("do: ", audit.remedy);
        }
        out_ << "\n";
    }

    void baseline() {
        for (const std::string& line : changes(verdict_))
            write_styled(out_, line.starts_with("new") ? Look::red : Look::green, safe_line(line));
        if (!verdict_.since.empty() && changes(verdict_).empty())
            write_wrapped(out_, "no change since " + safe_line(verdict_.since));
        for (const KnownFailure& entry : verdict_.since.empty() ? verdict_.fixed : Baseline())
            write_styled(out_, Look::red, "FIXED " + safe_line(fingerprint(entry)) + ": take it off the baseline");
        if (detail_ == Detail::brief) return;
        for (const KnownFailure& entry : verdict_.untried)
            write_styled(out_, Look::dim, "on the baseline, but not tried: " + safe_line(fingerprint(entry)));
    }

    void ending() {
        if (!verdict_.report.incomplete.empty())
            write_styled(out_, Look::red, "incomplete: " + safe_line(verdict_.report.incomplete));
        const bool bad = status_of(verdict_) != Status::ok;
        write_styled(out_, bad ? Look::red : Look::green, counts() + " in " + shown_seconds(verdict_.report.took));
        if (bad && !verdict_.repeat_with.empty() && detail_ != Detail::brief)
            write_wrapped(out_, "repeat: " + safe_line(verdict_.repeat_with));
    }

    SafeText counts() const {
        SafeText out;
        const auto add = [&out](std::size_t n, Literal words) {
            if (!out.empty()) out += ", ";
            out += number(static_cast<std::int64_t>(n)) + " " + words;
        };
        add(verdict_.count(Standing::failed), "failed");
        if (const auto n = verdict_.count(Standing::known)) add(n, "known failures");
        if (const auto n = verdict_.fixed.size()) add(n, "fixed");
        if (const auto n = verdict_.count(Standing::warning)) add(n, n == 1 ? Literal("warning") : Literal("warnings"));
        add(verdict_.count(Standing::passed), "passed");
        if (const auto n = verdict_.count(Standing::not_applicable)) add(n, "not applicable");
        return out;
    }

    Out& out_;
    const Assessment& verdict_;
    const Detail detail_;
};

}  // namespace

void write_report(Out& out, const Assessment& verdict, Detail detail) { ReportWriter(out, verdict, detail).write(); }

SafeText check_progress(std::string_view what, std::size_t done, std::size_t of, std::size_t width) {
    const Progress progress{.progress = static_cast<double>(done),
                            .total = of == 0 ? std::optional<double>() : static_cast<double>(of),
                            .message = std::string(what)};
    return progress_line(progress, done, width);
}

}  // namespace tenon::program
