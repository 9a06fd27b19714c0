#include "rule_page.hpp"

#include "layout.hpp"
#include "near.hpp"
#include "verdict.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t rule_indent = 4;

void write_part(Out& out, Literal heading, std::string_view text) {
    if (text.empty()) return;
    out << "\n" << Styled(Look::bold, heading) << "\n";
    write_wrapped(out, safe_text(text), rule_indent);
}

Literal weight_of(check::Level level) {
    switch (level) {
        case check::Level::must: return "a MUST: a violation is a failure";
        case check::Level::should: return "a SHOULD: a violation is a warning";
        case check::Level::advice: return "advice, the text does not ask for it: a violation is a warning";
        case check::Level::none: break;
    }
    return "";
}

// Writes what each revision says, newest first.
void write_clauses(Out& out, const check::Rule& rule) {
    out << "\n" << Styled(Look::bold, "REVISIONS") << "\n";
    for (auto clause = rule.clauses.rbegin(); clause != rule.clauses.rend(); ++clause) {
        if (clause->level == check::Level::none) continue;
        write_wrapped(out, safe_line(clause->revision) + " " + weight_of(clause->level), rule_indent);
        write_wrapped(out, safe_line(clause->source()), rule_indent);
    }
}

}  // namespace

void write_rules(Out& out, const std::vector<const check::Rule*>& rules) {
    std::string_view group;
    for (auto rule = rules.begin(); rule != rules.end();) {
        if (rule != rules.begin()) out << "\n";
        group = group_of((*rule)->id);
        out << Styled(Look::bold, safe_line(group)) << " " << group_title(group) << "\n";
        Table table{{{"RULE", Look::bold}, {"SIDE"}, {"LEVEL"}, {"TITLE"}}, {}};
        for (; rule != rules.end() && group_of((*rule)->id) == group; ++rule)
            table.rows.push_back({safe_line((*rule)->id), safe_line(to_string((*rule)->side)),
                                  safe_line(to_string((*rule)->clause().level)), safe_line((*rule)->title)});
        write_table(out, table);
    }
    out << "\n" << number(static_cast<std::int64_t>(rules.size())) << " rules\n";
}

void write_rule(Out& out, const check::Rule& rule) {
    out << Styled(Look::bold, safe_line(rule.id)) << "\n";
    write_wrapped(out, safe_line(rule.title), rule_indent);
    write_part(out, "RULE", rule.text);
    out << "\n" << Styled(Look::bold, "WEIGHT") << "\n";
    write_wrapped(out, "for " + safe_line(to_string(rule.side)) + "s; severity " + safe_line(to_string(rule.severity)),
                  rule_indent);
    write_part(out, "RIGHT", rule.right);
    write_part(out, "WRONG", rule.wrong);
    write_part(out, "WHAT TO DO", rule.remedy);
    write_clauses(out, rule);
}

const check::Rule& rule_named(const std::string& id) {
    if (const check::Rule* rule = check::find_rule(id)) return *rule;
    std::vector<std::string> ids;
    for (const check::Rule& rule : check::catalogue()) ids.emplace_back(rule.id);
    const auto meant = nearest(id, ids);
    throw usage_failure("there is no rule `" + id + "`",
                        meant ? "did you mean `" + *meant + "`?" : "`tenon check --list` lists them");
}

}  // namespace tenon::program
