// Matching in two passes. The first goes from the end of the URI to its start. For each step of the template it notes
// the positions from which the rest can match. With these notes, the second pass goes forward and never has to go back.
#include <algorithm>
#include <array>
#include <cstdint>

#include "base/safe_value.hpp"
#include "base/uri.hpp"
#include "base/uri_chars.hpp"
#include "base/uri_template.hpp"
#include "base/utf8.hpp"

namespace tenon::base {
namespace {

using List = UriTemplate::List;
using Map = UriTemplate::Map;
using Part = UriTemplate::Part;
using Value = UriTemplate::Value;
using Variable = UriTemplate::Variable;
using std::string_view;

enum class Set { segment, label, reserved, reserved_item, query, path_parameters };

constexpr bool belongs(Set set, char c) noexcept {
    switch (set) {
        case Set::segment: return is_unreserved(c);
        case Set::label: return is_unreserved(c) && c != '.';
        case Set::reserved: return is_unreserved(c) || is_reserved(c);
        case Set::reserved_item: return (is_unreserved(c) || is_reserved(c)) && c != ',';
        case Set::query: return (is_unreserved(c) || is_reserved(c)) && c != '#';
        case Set::path_parameters: return is_unreserved(c) || is_sub_delim(c) || c == ':' || c == '@';
    }
    return false;
}

// One bit for each set and byte. A table, because matching tests every character of a URI several times.
using SetTable = std::array<std::uint8_t, 256>;

constexpr SetTable make_set_table() noexcept {
    SetTable table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte)
        for (unsigned set = 0; set < 6; ++set)
            if (belongs(static_cast<Set>(set), static_cast<char>(byte)))
                table[byte] = static_cast<std::uint8_t>(table[byte] | 1U << set);
    return table;
}

constexpr SetTable set_table = make_set_table();

bool contains(Set set, char c) noexcept {
    const unsigned sets = set_table[static_cast<unsigned char>(c)];
    return (sets >> static_cast<unsigned>(set) & 1U) != 0;
}

// One step of a match: a literal, or one variable, or (`named`) all parameters of an expression. The text of a variable
// is a run of characters. A list has several runs.
struct Step {
    string_view literal;
    char op = 0;     // of the expression
    char lead = 0;   // the character before the run; 0: none
    char again = 0;  // the character between the runs of a list; 0: not a list
    Set set = Set::segment;
    bool may_be_empty = false;
    std::size_t or_else = 0;  // the next step when this one is missing in the URI; 0: it must not be missing
    bool named = false;
    std::vector<const Variable*> variables;
};

bool is_named(char op) noexcept { return op == ';' || op == '?' || op == '&'; }

Set set_of(char op, const Variable& variable) noexcept {
    if (op == '.') return Set::label;
    if (op == '+' || op == '#') return variable.explode ? Set::reserved_item : Set::reserved;
    return Set::segment;
}

Step named_step(const Part& part) {
    Step step;
    step.op = part.op;
    step.lead = part.op;
    step.set = part.op == ';' ? Set::path_parameters : Set::query;
    step.named = true;
    for (const Variable& v : part.variables) step.variables.push_back(&v);
    return step;
}

Step value_step(const Part& part, const Variable& variable) {
    const bool is_first = &variable == &part.variables.front();
    const bool has_lead = part.op != 0 && part.op != '+';
    const char separator = part.op == '.' || part.op == '/' ? part.op : ',';
    Step step;
    step.op = part.op;
    step.lead = is_first ? (has_lead ? part.op : '\0') : separator;
    step.again = variable.explode ? separator : '\0';
    step.set = set_of(part.op, variable);
    step.may_be_empty = has_lead;
    step.variables.push_back(&variable);
    return step;
}

// "{?a}{&b}" is treated as "{?a,b}": otherwise the end of the first expression would be ambiguous.
bool continues_query(const std::vector<Step>& steps, const Part& part) {
    return part.op == '&' && !steps.empty() && steps.back().named && steps.back().lead != ';';
}

void add_steps(std::vector<Step>& steps, const Part& part) {
    const std::size_t begin = steps.size();
    if (part.is_literal()) {
        steps.emplace_back().literal = part.literal;
    } else if (continues_query(steps, part)) {
        for (const Variable& v : part.variables) steps.back().variables.push_back(&v);
    } else if (is_named(part.op)) {
        steps.push_back(named_step(part));
    } else {
        for (const Variable& v : part.variables) steps.push_back(value_step(part, v));
    }
    const bool may_be_missing = part.op != 0 && part.op != '+';
    for (std::size_t i = begin; may_be_missing && i < steps.size(); ++i) steps[i].or_else = steps.size();
}

std::vector<Step> steps_of(const std::vector<Part>& parts) {
    std::vector<Step> steps;
    for (const Part& part : parts) add_steps(steps, part);
    return steps;
}

using Row = std::vector<bool>;  // one bit for each position of the URI and for its end
using Runs = std::vector<string_view>;

class Matcher {
 public:
    Matcher(const std::vector<Step>& steps, string_view uri)
        : steps_(steps), uri_(uri), matches_(steps.size() + 1), continues_(steps.size()) {}

    // Returns the text of each step, or nullopt. A step that is missing in the URI has no runs.
    std::optional<std::vector<Runs>> run() {
        matches_.back().assign(uri_.size() + 1, false);
        matches_.back()[uri_.size()] = true;
        for (std::size_t i = steps_.size(); i-- > 0;) steps_[i].literal.empty() ? look_at_runs(i) : look_at_literal(i);
        if (!matches_[0][0]) return std::nullopt;
        return walk();
    }

    /// Returns the number of examined positions.
    std::size_t work() const noexcept { return work_; }

 private:
    void look_at_literal(std::size_t i) {
        const string_view literal = steps_[i].literal;
        const Row& next = matches_[i + 1];
        Row& row = matches_[i];
        row.assign(uri_.size() + 1, false);
        work_ += uri_.size() + 1;
        for (std::size_t p = 0; p + literal.size() <= uri_.size(); ++p)
            row[p] = next[p + literal.size()] && uri_.substr(p).starts_with(literal);
    }

    void look_at_runs(std::size_t i) {
        continues_[i].assign(uri_.size() + 1, false);
        work_ += 2 * (uri_.size() + 1);
        for (std::size_t p = uri_.size() + 1; p-- > 0;)
            continues_[i][p] = matches_[i + 1][p] || begins_again(i, p) || continues_after_unit(i, p);
        matches_[i].assign(uri_.size() + 1, false);
        for (std::size_t p = 0; p <= uri_.size(); ++p)
            matches_[i][p] = begins(i, p) || (steps_[i].or_else != 0 && matches_[steps_[i].or_else][p]);
    }

    // Returns the length of the character at `p`, or 0 when the step does not accept it. A percent-encoded one has 3.
    std::size_t unit(std::size_t i, std::size_t p) const {
        if (p >= uri_.size()) return 0;
        if (contains(steps_[i].set, uri_[p])) return 1;
        return is_percent_encoded(uri_, p) ? 3 : 0;
    }

    bool continues_after_unit(std::size_t i, std::size_t p) const {
        const std::size_t n = unit(i, p);
        return n != 0 && continues_[i][p + n];
    }

    bool run_begins(std::size_t i, std::size_t p) const {
        return steps_[i].may_be_empty ? bool(continues_[i][p]) : continues_after_unit(i, p);
    }

    bool stands(char c, std::size_t p) const { return p < uri_.size() && uri_[p] == c; }

    bool begins(std::size_t i, std::size_t p) const {
        if (steps_[i].lead == 0) return run_begins(i, p);
        return stands(steps_[i].lead, p) && run_begins(i, p + 1);
    }

    bool begins_again(std::size_t i, std::size_t p) const {
        return steps_[i].again != 0 && stands(steps_[i].again, p) && run_begins(i, p + 1);
    }

    std::vector<Runs> walk() {
        std::vector<Runs> taken(steps_.size());
        std::size_t p = 0;
        for (std::size_t i = 0; i < steps_.size();) {
            if (!steps_[i].literal.empty()) {
                p += steps_[i++].literal.size();
            } else if (begins(i, p)) {
                p += steps_[i].lead != 0;
                taken[i] = take_runs(i, p);
                ++i;
            } else {
                i = steps_[i].or_else;
            }
        }
        return taken;
    }

    Runs take_runs(std::size_t i, std::size_t& p) {
        Runs runs;
        for (;;) {
            const std::size_t begin = p;
            while (continues_after_unit(i, p)) p += unit(i, p), ++work_;
            runs.push_back(uri_.substr(begin, p - begin));
            ++work_;
            if (!begins_again(i, p)) return runs;
            ++p;
        }
    }

    const std::vector<Step>& steps_;
    string_view uri_;
    std::size_t work_ = 0;
    std::vector<Row> matches_;    // [step][position]: this step and all after it match from here
    std::vector<Row> continues_;  // the same from inside a run of this step
};

std::optional<std::string> decode_text(string_view encoded) {
    auto text = percent_decode(encoded);
    if (text && !is_utf8(*text)) return std::nullopt;
    return text;
}

// Splits "a=1&b" into decoded names and values. Returns nullopt when one is malformed or has no name.
std::optional<Map> read_parameters(string_view run, char separator) {
    Map parameters;
    for (;;) {
        const string_view parameter = run.substr(0, run.find(separator));
        const std::size_t equals = std::min(parameter.find('='), parameter.size());
        auto name = decode_text(parameter.substr(0, equals));
        auto value = decode_text(parameter.substr(std::min(equals + 1, parameter.size())));
        if (!name || !value || name->empty()) return std::nullopt;
        parameters.emplace_back(std::move(*name), std::move(*value));
        if (parameter.size() == run.size()) return parameters;
        run.remove_prefix(parameter.size() + 1);
    }
}

// Collects the values. Refuses unsafe values, and different values for the same variable.
class Collector {
 public:
    explicit Collector(UriTemplate::Values allowed) : allowed_(allowed) {}

    bool add(const Step& step, const Runs& runs) {
        if (runs.empty()) return true;
        if (step.named) return add_parameters(step, runs[0]);
        return add_runs(step, runs);
    }

    UriTemplate::Variables variables() && {
        UriTemplate::Variables variables;
        for (auto& [name, found] : found_) variables.emplace(name, std::move(found.value));
        return variables;
    }

 private:
    struct Found {
        Value value;
        std::size_t prefix;
    };

    bool add_runs(const Step& step, const Runs& runs) {
        const Variable& variable = *step.variables[0];
        List list;
        for (const string_view run : runs) {
            auto text = decode_text(run);
            if (!text) return false;
            list.push_back(std::move(*text));
        }
        return variable.explode ? add_value(step, variable, std::move(list))
                                : add_value(step, variable, std::move(list[0]));
    }

    bool add_parameters(const Step& step, string_view run) {
        auto parameters = read_parameters(run, step.lead == ';' ? ';' : '&');
        if (!parameters) return false;
        std::map<std::string, const Variable*> owners;
        for (const Variable* v : step.variables) owners.emplace(percent_decode(v->name).value_or(v->name), v);

        std::map<const Variable*, List> claimed;
        Map unclaimed;
        for (auto& [name, value] : *parameters) {
            const auto owner = owners.find(name);
            if (owner == owners.end()) {
                unclaimed.emplace_back(std::move(name), std::move(value));
            } else {
                claimed[owner->second].push_back(std::move(value));
            }
        }
        return add_unclaimed(step, claimed, std::move(unclaimed)) && add_claimed(step, claimed);
    }

    bool add_unclaimed(const Step& step, const std::map<const Variable*, List>& claimed, Map unclaimed) {
        if (unclaimed.empty()) return true;
        for (const Variable* v : step.variables)
            if (v->explode && !claimed.contains(v)) return add_value(step, *v, std::move(unclaimed));
        return false;
    }

    bool add_claimed(const Step& step, std::map<const Variable*, List>& claimed) {
        for (auto& [variable, values] : claimed) {
            if (!variable->explode && values.size() > 1) return false;
            if (!(variable->explode ? add_value(step, *variable, std::move(values))
                                    : add_value(step, *variable, std::move(values[0]))))
                return false;
        }
        return true;
    }

    // All values are added here.
    bool add_value(const Step& step, const Variable& variable, Value value) {
        if (allowed_ == UriTemplate::Values::safe && !is_safe_value(step.op, value)) return false;
        Found found{std::move(value), variable.prefix};
        if (found.prefix != 0 && utf8_length(std::get<std::string>(found.value)) > found.prefix) return false;
        const auto [known, is_new] = found_.try_emplace(variable.name, found);
        if (is_new) return true;
        if (is_longer(found, known->second)) std::swap(found, known->second);
        return agrees(known->second, found);
    }

    static bool is_longer(const Found& a, const Found& b) noexcept {
        return b.prefix != 0 && (a.prefix == 0 || a.prefix > b.prefix);
    }

    static bool agrees(const Found& whole, const Found& part) {
        if (part.prefix == 0) return whole.value == part.value;
        const auto* text = std::get_if<std::string>(&whole.value);
        return text && utf8_first(*text, part.prefix) == std::get<std::string>(part.value);
    }

    UriTemplate::Values allowed_;
    std::map<string_view, Found> found_;
};

// Returns whether the URI contains all literals of the template, in order. Otherwise a match is impossible.
bool has_literals(const std::vector<Part>& parts, string_view uri) noexcept {
    for (const Part& part : parts) {
        const std::size_t at = uri.find(part.literal);
        if (at == string_view::npos) return false;
        uri.remove_prefix(at + part.literal.size());
    }
    return true;
}

// A quick check of the literals. Most URIs belong to another template and fail it.
bool cannot_match(const std::vector<Part>& parts, string_view uri) noexcept {
    if (uri.size() > UriTemplate::max_uri_length) return true;
    if (parts.empty()) return !uri.empty();
    if (parts.front().is_literal() && !uri.starts_with(parts.front().literal)) return true;
    if (parts.back().is_literal() && !uri.ends_with(parts.back().literal)) return true;
    return !has_literals(parts, uri);
}

}  // namespace

std::optional<UriTemplate::Variables> UriTemplate::match(string_view uri, Values allowed, std::size_t* work) const {
    if (cannot_match(parts_, uri)) return std::nullopt;
    const std::vector<Step> steps = steps_of(parts_);
    Matcher matcher(steps, uri);
    const auto taken = matcher.run();
    if (work) *work += matcher.work();
    if (!taken) return std::nullopt;
    Collector collector(allowed);
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (!collector.add(steps[i], (*taken)[i])) return std::nullopt;
    return std::move(collector).variables();
}

}  // namespace tenon::base
