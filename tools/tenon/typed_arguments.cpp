#include "typed_arguments.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <tenon/schema.hpp>

#include "near.hpp"
#include "schema_words.hpp"
#include "status.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t most_violations = 5;
constexpr std::size_t longest_quote = 60;

std::string in_quotes(std::string_view text) {
    if (text.size() <= longest_quote) return "`" + std::string(text) + "`";
    return "`" + std::string(text.substr(0, longest_quote)) + "...`";
}

json::value parsed(const std::string& key, const std::string& text, const std::string& fix) {
    auto v = json::parse(text);
    if (!v) throw usage_failure("`" + key + "` is not JSON: " + v.error().message, fix);
    return *std::move(v);
}

// Compiles the schema of one property, together with the definitions that it may refer to.
std::optional<schema::Schema> compiled_part(const json::value& part, const json::object& root) {
    json::object whole{{"allOf", json::array{part}}};
    for (const std::string_view key : {"$schema", "$defs", "definitions"})
        if (const json::value* v = root.if_contains(key)) whole.emplace(key, *v);
    auto compiled = schema::Schema::compile(whole);
    if (!compiled) return std::nullopt;
    return *std::move(compiled);
}

std::string example(const std::string& name, const json::value& schema, const json::object& root) {
    const auto choices = choices_of(schema, root);
    if (!choices.empty()) return name + "=" + plain(choices.front());
    const Types t = types_of(schema, root);
    if (t.integer) return name + "=3";
    if (t.number) return name + "=1.5";
    if (t.boolean) return name + "=true";
    const bool nested = !members_of(schema, root).empty();
    if (t.array && !nested) return name + "=a,b,c or " + name + ":='[...]'";
    if (nested) return name + "='" + json::write(sample_of(schema, root)) + "'";
    if (t.object) return name + "='{\"...\": ...}'";
    return name + ":=JSON";
}

std::string facts(const json::value& schema, const json::object& root) {
    std::string out = type_words(schema, root);
    for (const std::string& phrase : bound_words(schema, root)) out += ", " + phrase;
    return out;
}

Failure misfit(const std::string& name, const std::string& text, const json::value& schema, const json::object& root) {
    const auto choices = choices_of(schema, root);
    std::vector<std::string> words;
    words.reserve(choices.size());
    for (const json::value& choice : choices) words.push_back(plain(choice));
    return usage_failure("`" + name + "` must be " + (choices.empty() ? "of type " : "") + type_words(schema, root) +
                             ", got " + in_quotes(text),
                         choices.empty() ? "write " + example(name, schema, root) : suggestion(text, words));
}

// Finds the argument of a violation and describes its valid values.
std::string remedy(const schema::Violation& violation, const json::object& input_schema) {
    for (const Argument& argument : arguments_of(input_schema)) {
        const std::string path = "/" + argument.name;
        if (violation.instance_path == path || violation.instance_path.starts_with(path + "/"))
            return argument.name + ": " + facts(argument.schema, input_schema);
    }
    return "`tenon list TARGET tools NAME` shows what the tool takes";
}

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> out;
    if (text.empty()) return out;
    for (;;) {
        const std::size_t comma = text.find(',');
        out.emplace_back(text.substr(0, comma));
        if (comma == std::string_view::npos) return out;
        text.remove_prefix(comma + 1);
    }
}

const json::value& items_of(const json::value& schema, const json::object& root) {
    static const json::value anything = json::object{};
    const json::value& s = resolve(schema, root);
    if (const json::value* items = member(s, "items")) return *items;
    for (const std::string_view key : {"anyOf", "oneOf", "allOf"})
        if (const json::value* parts = member(s, key); parts && parts->is_array())
            for (const json::value& part : parts->get_array())
                if (const json::value* items = member(resolve(part, root), "items")) return *items;
    return anything;
}

json::array typed_list(const std::string& name, const std::vector<std::string>& texts, const json::value& schema,
                       const json::object& root) {
    json::array out;
    for (const std::string& text : texts) out.push_back(typed_value(name, text, items_of(schema, root), root));
    return out;
}

bool looks_like(std::string_view text, char first) {
    const std::size_t at = text.find_first_not_of(" \t\n");
    return at != std::string_view::npos && text[at] == first;
}

// Lists the possible values of a text under a schema, the most specific one first.
class Meanings {
 public:
    Meanings(const std::string& name, const std::string& text, const json::value& schema, const json::object& root)
        : name_(name), text_(text), schema_(schema), root_(root), types_(types_of(schema, root)) {
        if (auto v = json::parse(text)) json_ = *std::move(v);
    }

    std::vector<json::value> all() {
        for (const json::value& choice : choices_of(schema_, root_))
            if (plain(choice) == text_) out_.push_back(choice);
        if (!types_.any() && json_) out_.push_back(*json_);
        if (types_.null && text_ == "null") out_.emplace_back(nullptr);
        if (types_.boolean && json_ && json_->is_bool()) out_.push_back(*json_);
        if ((types_.integer || types_.number) && json_ && json_->is_number()) out_.push_back(*json_);
        add_list();
        if (types_.object && json_ && json_->is_object()) out_.push_back(*json_);
        if (types_.string || !types_.any()) out_.emplace_back(text_);
        return std::move(out_);
    }

 private:
    void add_list() {
        if (!types_.array) return;
        if (json_ && json_->is_array()) {
            out_.push_back(*json_);
        } else if (!types_.string && !looks_like(text_, '[') && !looks_like(text_, '{')) {
            out_.emplace_back(typed_list(name_, split_at_commas(text_), schema_, root_));
        }
    }

    const std::string& name_;
    const std::string& text_;
    const json::value& schema_;
    const json::object& root_;
    const Types types_;
    std::optional<json::value> json_;
    std::vector<json::value> out_;
};

const json::value* additional(const json::object& schema) {
    static const json::value anything = json::object{};
    const json::value* rule = schema.if_contains("additionalProperties");
    if (rule && (rule->is_object() || *rule == json::value(true))) return rule;
    const bool says_nothing = !rule && !schema.contains("properties");
    return says_nothing || schema.contains("patternProperties") ? &anything : nullptr;
}

std::vector<std::string> names_of(const json::object& schema) {
    std::vector<std::string> out;
    for (const Argument& argument : arguments_of(schema)) out.push_back(argument.name);
    return out;
}

const json::value& schema_of_key(const std::string& key, const json::object& schema) {
    const json::value* properties = schema.if_contains("properties");
    const json::object* known = properties ? properties->if_object() : nullptr;
    if (const json::value* property = known ? known->if_contains(key) : nullptr) return *property;
    if (const json::value* rule = additional(schema)) return *rule;
    const std::string outer = key.substr(0, key.find_first_of(".["));  // as in address.city=Oslo
    if (const json::value* nests = known ? known->if_contains(outer) : nullptr)
        throw usage_failure("there is no argument `" + key + "`",
                            "a nested value is JSON: " + example(outer, *nests, schema));
    const auto names = names_of(schema);
    throw usage_failure("there is no argument `" + key + "`",
                        names.empty() ? "the tool takes no arguments" : suggestion(key, names));
}

json::value value_of_key(const std::string& key, const std::vector<Assignment>& given, const json::object& schema) {
    const json::value& rule = schema_of_key(key, schema);
    const auto one = [&](const Assignment& a, const json::value& s) {
        return a.is_json ? parsed(key, a.value, "write " + key + ":=JSON, in quotes for the shell")
                         : typed_value(key, a.value, s, schema);
    };
    if (given.size() == 1) return one(given.front(), rule);
    const Types types = types_of(rule, schema);
    if (types.any() && !types.array)
        throw usage_failure("`" + key + "` is given " + std::to_string(given.size()) + " times, but takes one " +
                                type_words(rule, schema),
                            "give it once");
    json::array list;
    for (const Assignment& a : given) list.push_back(one(a, items_of(rule, schema)));
    return list;
}

}  // namespace

Assignment assignment_of(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
        throw usage_failure(in_quotes(word) + " is not KEY=VALUE",
                            "write KEY=VALUE or KEY:=JSON, or all arguments as one JSON object, @FILE or -");
    const bool is_json = equals > 1 && word[equals - 1] == ':';
    return {word.substr(0, equals - (is_json ? 1 : 0)), word.substr(equals + 1), is_json};
}

json::value typed_value(const std::string& name, const std::string& text, const json::value& schema,
                        const json::object& root) {
    const auto meanings = Meanings(name, text, schema, root).all();
    if (meanings.empty()) throw misfit(name, text, schema, root);
    const bool has_choices = !choices_of(schema, root).empty();
    if (meanings.size() == 1 && !has_choices) return meanings.front();
    const auto compiled = compiled_part(schema, root);
    if (!compiled) return meanings.front();
    for (const json::value& meaning : meanings)
        if (compiled->accepts(meaning)) return meaning;
    if (has_choices) throw misfit(name, text, schema, root);
    return meanings.front();  // check_arguments() will say what is wrong with it
}

json::object typed_arguments(const std::vector<std::string>& words, const json::object& input_schema) {
    std::vector<std::pair<std::string, std::vector<Assignment>>> by_key;
    for (const std::string& word : words) {
        Assignment a = assignment_of(word);
        auto it = std::ranges::find(by_key, a.key, [](const auto& entry) { return entry.first; });
        if (it == by_key.end()) it = by_key.insert(it, {a.key, {}});
        it->second.push_back(std::move(a));
    }
    json::object out;
    for (const auto& [key, given] : by_key) out.emplace(key, value_of_key(key, given, input_schema));
    return out;
}

void check_arguments(const json::object& arguments, const json::object& input_schema) {
    for (const Argument& argument : arguments_of(input_schema)) {
        if (!argument.required || arguments.contains(argument.name)) continue;
        const json::value* about = member(resolve(argument.schema, input_schema), "description");
        throw usage_failure("the argument `" + argument.name + "` (" + type_words(argument.schema, input_schema) +
                                ") is missing" + (about ? ": " + plain(*about) : ""),
                            "add " + (members_of(argument.schema, input_schema).empty()
                                          ? argument.name + "=" + placeholder(argument.schema, input_schema)
                                          : example(argument.name, argument.schema, input_schema)));
    }
    const auto compiled = schema::Schema::compile(input_schema);
    if (!compiled) return;  // this program cannot use the schema, so the server must check
    const auto violations = compiled->check(arguments, most_violations, "arguments");
    if (violations.empty()) return;
    std::string all;
    for (const auto& violation : violations) all += (all.empty() ? "" : "; ") + violation.message;
    throw usage_failure(all, remedy(violations.front(), input_schema));
}

}  // namespace tenon::program
