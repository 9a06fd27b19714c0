#include "schema_words.hpp"

#include <algorithm>

namespace tenon::program {
namespace {

constexpr int deepest_ref = 16;
constexpr int most_visits = 256;
constexpr int deepest_list = 4;
constexpr int deepest_sample = 3;
constexpr int largest_sample = 30;
constexpr std::size_t most_choices_in_a_synopsis = 4;

std::string_view text_of(const json::value& v) {
    const auto* s = v.if_string();
    return s ? std::string_view(*s) : std::string_view();
}

// Follows a JSON Pointer in a fragment, such as "#/$defs/city".
const json::value* follow(std::string_view ref, const json::object& root) {
    if (!ref.starts_with("#/")) return nullptr;
    ref.remove_prefix(2);
    const json::value* at = nullptr;
    const json::object* here = &root;
    for (;;) {
        const std::size_t slash = ref.find('/');
        std::string name(ref.substr(0, slash));
        for (const auto& [escaped, real] : {std::pair{"~1", "/"}, std::pair{"~0", "~"}})
            for (std::size_t i = 0; (i = name.find(escaped, i)) != std::string::npos; ++i) name.replace(i, 2, real);
        at = here ? here->if_contains(name) : nullptr;
        if (!at || slash == std::string_view::npos) return at;
        here = at->if_object();
        ref.remove_prefix(slash + 1);
    }
}

// Counts the schemas that may still be visited. References can repeat a part of a schema very often, so a depth alone
// does not limit the work.
class Visits {
 public:
    explicit Visits(int most) : left_(most) {}
    bool next() { return left_-- > 0; }

 private:
    int left_;
};

Types types_at(const json::value& schema, const json::object& root, Visits& visits);

Types types_of_parts(const json::value& parts, const json::object& root, Visits& visits) {
    Types out;
    if (const auto* list = parts.if_array())
        for (const json::value& part : *list) out.add(types_at(part, root, visits));
    return out;
}

Types type_of_value(const json::value& v) {
    Types t;
    t.null = v.is_null(), t.boolean = v.is_bool(), t.string = v.is_string();
    t.array = v.is_array(), t.object = v.is_object();
    t.integer = v.is_int64() || v.is_uint64(), t.number = v.is_double();
    return t;
}

Types types_at(const json::value& unresolved, const json::object& root, Visits& visits) {
    Types out;
    if (!visits.next()) return out;
    const json::value& schema = resolve(unresolved, root);
    if (const json::value* type = member(schema, "type")) {
        if (type->is_string()) out.add(text_of(*type));
        if (const auto* list = type->if_array())
            for (const json::value& name : *list) out.add(text_of(name));
        return out;
    }
    if (const json::value* only = member(schema, "const")) return type_of_value(*only);
    if (const json::value* list = member(schema, "enum"); list && list->is_array()) {
        for (const json::value& v : list->get_array()) out.add(type_of_value(v));
        return out;
    }
    for (const std::string_view key : {"anyOf", "oneOf", "allOf"})
        if (const json::value* parts = member(schema, key)) out.add(types_of_parts(*parts, root, visits));
    if (!out.any()) out.object = member(schema, "properties") != nullptr;
    if (!out.any()) out.array = member(schema, "items") != nullptr;
    return out;
}

void choices_at(const json::value& unresolved, const json::object& root, Visits& visits,
                std::vector<json::value>& out) {
    if (!visits.next()) return;
    const json::value& schema = resolve(unresolved, root);
    if (const json::value* only = member(schema, "const")) out.push_back(*only);
    if (const json::value* list = member(schema, "enum"); list && list->is_array())
        for (const json::value& v : list->get_array()) out.push_back(v);
    for (const std::string_view key : {"anyOf", "oneOf"})
        if (const json::value* parts = member(schema, key); parts && parts->is_array())
            for (const json::value& part : parts->get_array()) choices_at(part, root, visits, out);
}

json::value sample_at(const json::value& schema, const json::object& root, int depth, Visits& visits) {
    if (!visits.next()) return nullptr;
    const auto choices = choices_of(schema, root);
    if (!choices.empty()) return choices.front();
    const Types t = types_of(schema, root);
    if (t.string || !t.any()) return "TEXT";
    if (t.integer) return 3;
    if (t.number) return 1.5;
    if (t.boolean) return true;
    const json::value& resolved = resolve(schema, root);
    if (t.array) {
        const json::value* items = member(resolved, "items");
        return items && depth < deepest_sample ? json::array{sample_at(*items, root, depth + 1, visits)}
                                               : json::array{};
    }
    if (!t.object) return nullptr;
    json::object out;
    const auto members = depth < deepest_sample ? members_of(resolved, root) : std::vector<Argument>();
    for (const Argument& m : members)
        if (m.required || out.empty()) out.emplace(m.name, sample_at(m.schema, root, depth + 1, visits));
    return out;
}

std::string joined(const std::vector<std::string>& words, std::string_view last) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
        out += words[i];
    }
    return out;
}

std::vector<std::string> type_names(const Types& t) {
    std::vector<std::string> out;
    if (t.boolean) out.emplace_back("boolean");
    if (t.integer && !t.number) out.emplace_back("integer");
    if (t.number) out.emplace_back("number");
    if (t.string) out.emplace_back("string");
    if (t.array) out.emplace_back("list");
    if (t.object) out.emplace_back("object");
    if (t.null) out.emplace_back("null");
    return out;
}

struct Words {
    const json::value& schema;
    std::vector<std::string> out = {};

    const json::value* has(std::string_view key) const { return member(schema, key); }
    void phrase(std::string_view before, const json::value& v, std::string_view after = "") {
        if (v == json::value(1) && after.ends_with('s')) after.remove_suffix(1);  // "1 item", not "1 items"
        out.push_back(std::string(before) + plain(v) + std::string(after));
    }
    void one(std::string_view key, std::string_view before, std::string_view after = "") {
        if (const json::value* v = has(key)) phrase(before, *v, after);
    }
    void range(std::string_view low, std::string_view high, std::string_view unit) {
        const json::value *from = has(low), *to = has(high);
        if (from && to) {
            phrase(plain(*from) + " to ", *to, unit);
        } else if (from) {
            phrase("at least ", *from, unit);
        } else if (to) {
            phrase("at most ", *to, unit);
        }
    }
};

}  // namespace

void Types::add(std::string_view name) {
    null |= name == "null", boolean |= name == "boolean", integer |= name == "integer", number |= name == "number";
    string |= name == "string", array |= name == "array", object |= name == "object";
}

void Types::add(const Types& m) {
    null |= m.null, boolean |= m.boolean, integer |= m.integer, number |= m.number;
    string |= m.string, array |= m.array, object |= m.object;
}

const json::value* member(const json::value& schema, std::string_view name) {
    const json::object* o = schema.if_object();
    return o ? o->if_contains(name) : nullptr;
}

const json::value& resolve(const json::value& schema, const json::object& root) {
    const json::value* at = &schema;
    for (int i = 0; i < deepest_ref; ++i) {
        const json::value* ref = member(*at, "$ref");
        const json::value* next = ref ? follow(text_of(*ref), root) : nullptr;
        if (!next) break;
        at = next;
    }
    return *at;
}

Types types_of(const json::value& schema, const json::object& root) {
    Visits visits(most_visits);
    return types_at(schema, root, visits);
}

std::vector<json::value> choices_of(const json::value& schema, const json::object& root) {
    std::vector<json::value> out;
    Visits visits(most_visits);
    choices_at(schema, root, visits, out);
    return out;
}

std::string plain(const json::value& v) {
    if (const auto* s = v.if_string()) return std::string(*s);
    return json::write(v);
}

std::string type_words(const json::value& schema, const json::object& root, int depth) {
    const auto choices = choices_of(schema, root);
    if (!choices.empty()) {
        std::vector<std::string> words;
        words.reserve(choices.size() + 1);
        for (const json::value& v : choices) words.push_back(plain(v));
        if (types_of(schema, root).null && std::ranges::find(words, "null") == words.end()) words.emplace_back("null");
        return joined(words, "or");
    }
    const Types types = types_of(schema, root);
    if (!types.any()) return "anything";
    std::vector<std::string> names = type_names(types);
    const json::value* items = member(resolve(schema, root), "items");
    if (items && types.array && depth < deepest_list)
        std::ranges::replace(names, std::string("list"), "list of " + type_words(*items, root, depth + 1));
    return joined(names, "or");
}

std::vector<std::string> bound_words(const json::value& unresolved, const json::object& root) {
    const json::value& schema = resolve(unresolved, root);
    Words w{schema};
    w.range("minimum", "maximum", "");
    w.one("exclusiveMinimum", "more than ");
    w.one("exclusiveMaximum", "less than ");
    w.one("multipleOf", "a multiple of ");
    w.range("minLength", "maxLength", " characters");
    w.range("minItems", "maxItems", " items");
    if (const json::value* unique = w.has("uniqueItems"); unique && *unique == json::value(true))
        w.out.emplace_back("no two alike");
    w.one("format", "format ");
    w.one("pattern", "matching ");
    if (const json::value* fallback = member(unresolved, "default")) {
        w.phrase("default ", *fallback);
    } else {
        w.one("default", "default ");
    }
    return w.out;
}

std::string placeholder(const json::value& schema, const json::object& root) {
    const auto choices = choices_of(schema, root);
    if (!choices.empty() && choices.size() <= most_choices_in_a_synopsis) {
        std::string out;
        for (const json::value& v : choices) out += (out.empty() ? "" : "|") + plain(v);
        return out;
    }
    const Types t = types_of(schema, root);
    if (t.array && !t.string) return "A,B,...";
    if (t.object && !t.string) return "JSON";
    if (t.boolean && !t.string) return "true|false";
    if (t.number && !t.string) return "NUMBER";
    if (t.integer && !t.string) return "INTEGER";
    return t.any() ? "STRING" : "VALUE";
}

json::value sample_of(const json::value& schema, const json::object& root) {
    Visits visits(largest_sample);
    return sample_at(schema, root, 0, visits);
}

std::vector<Argument> members_of(const json::value& schema, const json::object& root) {
    const json::value* at = &resolve(schema, root);
    if (const json::value* items = member(*at, "items")) at = &resolve(*items, root);
    return at->is_object() ? arguments_of(at->get_object()) : std::vector<Argument>();
}

std::vector<Argument> arguments_of(const json::object& input_schema) {
    std::vector<Argument> out;
    const json::value* properties = input_schema.if_contains("properties");
    const json::value* required = input_schema.if_contains("required");
    const auto is_required = [&](std::string_view name) {
        const json::array* list = required ? required->if_array() : nullptr;
        return list && std::ranges::any_of(*list, [&](const json::value& v) { return text_of(v) == name; });
    };
    if (properties && properties->is_object())
        for (const auto& [name, schema] : properties->get_object())
            out.push_back({std::string(name), schema, is_required(name)});
    std::stable_partition(out.begin(), out.end(), [](const Argument& a) { return a.required; });
    return out;
}

}  // namespace tenon::program
