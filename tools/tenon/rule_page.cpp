#include "rule_page.hpp"

#include "layout.hpp"
#include "near.hpp"
#include "verdict.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t indent = 4;

void write_part(Out& out, Literal heading, std::string_view text) {
    if (text.empty()) return;
    out << "\n" << Styled(Look::bold, heading) << "\n";
    write_wrapped(out, safe_text(text), indent);
}

}  // namespace

void write_rules(Out& out, const std::vector<const check::Rule*>& rules) {
    std::string_view group;
    for (auto rule = rules.begin(); rule != rules.end();) {
        if (rule != rules.begin()) out << "\n";
        group = group_of((*rule)->id);
        out << Styled(Look::bold, safe_line(group)) << " " << group_title(group) << "\n";
        Table table{{{"RULE", Look::bold}, {"WHO"}, {"LEVEL"}, {"TITLE"}}, {}};
        for (; rule != rules.end() && group_of((*rule)->id) == group; ++rule)
            table.rows.push_back({safe_line((*rule)->id), safe_line(to_string((*rule)->side)),
                                  safe_line(to_string((*rule)->level)), safe_line((*rule)->title)});
        write_table(out, table);
    }
    out << "\n" << number(static_cast<std::int64_t>(rules.size())) << " rules\n";
}

void write_rule(Out& out, const check::Rule& rule) {
    out << Styled(Look::bold, safe_line(rule.id)) << "\n";
    write_wrapped(out, safe_line(rule.title), indent);
    write_part(out, "RULE", rule.text);
    out << "\n" << Styled(Look::bold, "WEIGHT") << "\n";
    const bool must = rule.level == check::Level::must;
    write_wrapped(out,
                  (must ? Literal("a MUST of ") : Literal("a SHOULD of ")) + safe_line(to_string(rule.side)) +
                      "s: " + (must ? Literal("a violation is a failure") : Literal("a violation is a warning")) +
                      ", severity " + safe_line(to_string(rule.severity)),
                  indent);
    write_part(out, "RIGHT", rule.right);
    write_part(out, "WRONG", rule.wrong);
    write_part(out, "WHAT TO DO", rule.remedy);
    write_part(out, "SOURCE", rule.source);
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
