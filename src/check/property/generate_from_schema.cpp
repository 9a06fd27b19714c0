#include "check/property/generate_from_schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/schema.hpp>

#include "check/property/generate_json.hpp"

namespace tenon::check {
namespace {

constexpr unsigned max_generated_depth = 12;
constexpr std::int64_t max_length = 4096;

const json::value* member(const json::value& schema, std::string_view key) {
    const auto* object = schema.if_object();
    return object ? object->if_contains(key) : nullptr;
}

std::optional<double> number_of(const json::value& schema, std::string_view key) {
    const auto* found = member(schema, key);
    if (!found || !found->is_number()) return std::nullopt;
    return found->to_number<double>();
}

std::int64_t count_of(const json::value& schema, std::string_view key, std::int64_t otherwise) {
    const auto n = number_of(schema, key);
    return n ? static_cast<std::int64_t>(std::clamp(*n, 0.0, double(max_length))) : otherwise;
}

class Guess {
 public:
    Guess(const json::value& root, Choices& choices) : root_(root), choices_(choices) {}

    json::value value(const json::value& place, unsigned depth) {
        const auto& schema = dereferenced(root_, place);
        if (depth >= max_generated_depth || !schema.is_object())
            return depth >= max_generated_depth ? json::value(nullptr) : anything();
        if (const auto* only = member(schema, "const")) return *only;
        if (const auto* list = member(schema, "enum"); list && list->is_array() && !list->as_array().empty())
            return choices_.pick(list->as_array());
        if (const auto* own = suggested(schema); own && choices_.below(2) == 0) return *own;
        for (const auto* key : {"oneOf", "anyOf"})
            if (const auto* list = member(schema, key); list && list->is_array() && !list->as_array().empty())
                return value(merged(schema, key, choices_.pick(list->as_array())), depth + 1);
        if (const auto* list = member(schema, "allOf"); list && list->is_array()) {
            auto whole = schema;
            whole.as_object().erase("allOf");
            for (const auto& part : list->as_array()) whole = merged(whole, "", dereferenced(root_, part));
            return value(whole, depth + 1);
        }
        return of_type(type_of(schema), schema, depth);
    }

 private:
    json::value anything() { return any_value(choices_, 1); }

    // Returns a value that the schema suggests: its default or its first example.
    static const json::value* suggested(const json::value& schema) {
        if (const auto* usual = member(schema, "default")) return usual;
        const auto* examples = member(schema, "examples");
        return examples && examples->is_array() && !examples->as_array().empty() ? &examples->as_array().front()
                                                                                 : nullptr;
    }

    // Combines two schemas: joins `properties` and `required`. For other keywords the one in `place` wins.
    json::value merged(const json::value& schema, std::string_view without, const json::value& place) {
        auto whole = schema;
        auto& object = whole.as_object();
        if (!without.empty()) object.erase(without);
        const auto& part = dereferenced(root_, place);
        if (!part.is_object()) return whole;
        for (const auto& [key, added] : part.as_object()) {
            auto* there = object.if_contains(key);
            if (there && there->is_object() && added.is_object())
                for (const auto& [name, inner] : added.as_object()) there->as_object().insert_or_assign(name, inner);
            else if (there && there->is_array() && added.is_array() && key == "required")
                there->as_array().insert(there->as_array().end(), added.as_array().begin(), added.as_array().end());
            else
                object.insert_or_assign(key, added);
        }
        return whole;
    }

    std::string_view type_of(const json::value& schema) {
        const auto* type = member(schema, "type");
        if (type && type->is_array() && !type->as_array().empty()) type = &choices_.pick(type->as_array());
        if (type && type->is_string()) return type->as_string();
        if (member(schema, "properties") || member(schema, "required")) return "object";
        if (member(schema, "items") || member(schema, "prefixItems")) return "array";
        if (member(schema, "minimum") || member(schema, "maximum") || member(schema, "multipleOf")) return "number";
        if (member(schema, "pattern") || member(schema, "format") || member(schema, "minLength")) return "string";
        return {};
    }

    json::value of_type(std::string_view type, const json::value& schema, unsigned depth) {
        if (type == "object") return object(schema, depth);
        if (type == "array") return array(schema, depth);
        if (type == "string") return json::value(string(schema));
        if (type == "integer") return number(schema, true);
        if (type == "number") return number(schema, false);
        if (type == "boolean") return choices_.below(2) == 1;
        if (type == "null") return nullptr;
        return anything();
    }

    json::value object(const json::value& schema, unsigned depth) {
        json::object made;
        const auto* properties = member(schema, "properties");
        const auto* required = member(schema, "required");
        if (required && required->is_array())
            for (const auto& name : required->as_array())
                if (name.is_string()) {
                    const auto* known = properties ? member(*properties, name.as_string()) : nullptr;
                    made.insert_or_assign(name.as_string(), known ? value(*known, depth + 1) : anything());
                }
        if (properties && properties->is_object())
            for (const auto& [name, known] : properties->as_object())
                if (!made.contains(name) && choices_.below(2) == 1)
                    made.insert_or_assign(name, value(known, depth + 1));
        fill_up(made, schema, depth);
        return made;
    }

    void fill_up(json::object& made, const json::value& schema, unsigned depth) {
        const auto* rest = member(schema, "additionalProperties");
        const auto least = static_cast<std::size_t>(count_of(schema, "minProperties", 0));
        for (int i = 0; made.size() < least; ++i)
            made.insert_or_assign("more" + std::to_string(i), rest ? value(*rest, depth + 1) : anything());
    }

    json::value array(const json::value& schema, unsigned depth) {
        const auto least = count_of(schema, "minItems", 0);
        const auto most = std::max(least, count_of(schema, "maxItems", least + 3));
        const auto length =
            least + choices_.below(static_cast<std::uint32_t>(std::min<std::int64_t>(most - least, 3)) + 1);
        const auto* first = member(schema, "prefixItems");
        const auto* items = member(schema, "items");
        json::array made;
        for (std::int64_t i = 0; i < length; ++i) {
            const auto place = static_cast<std::size_t>(i);
            if (first && first->is_array() && place < first->as_array().size())
                made.push_back(value(first->as_array()[place], depth + 1));
            else
                made.push_back(items ? value(*items, depth + 1) : json::value(i));
        }
        return made;
    }

    std::string string(const json::value& schema) {
        if (const auto* format = member(schema, "format"); format && format->is_string())
            if (const auto known = of_format(format->as_string()); !known.empty()) return std::string(known);
        const auto* pattern = member(schema, "pattern");
        auto made = pattern ? matching(*pattern) : choices_.below(4) == 0 ? "text" : any_string(choices_);
        const auto least = count_of(schema, "minLength", 0);
        const auto most = count_of(schema, "maxLength", max_length);
        while (length_of(made) < least) made += 'x';
        while (length_of(made) > most) cut_one(made);
        return made;
    }

    // Does not generate text from a pattern. Most common patterns match one of these texts.
    std::string matching(const json::value& pattern) {
        static constexpr std::array<std::string_view, 14> usual = {"a",
                                                                   "abc",
                                                                   "1",
                                                                   "42",
                                                                   "A",
                                                                   "ABC",
                                                                   "a-b",
                                                                   "a_b",
                                                                   "2026-01-31",
                                                                   "a.b/c",
                                                                   "00000000-0000-4000-8000-000000000000",
                                                                   "#ffffff",
                                                                   "1.0.0",
                                                                   "https://example.com/a"};
        std::vector<std::string_view> fitting;
        if (const auto compiled = schema::Schema::compile(json::object{{"pattern", pattern}}))
            std::ranges::copy_if(usual, std::back_inserter(fitting),
                                 [&](auto guess) { return compiled->accepts(json::value(guess)); });
        return fitting.empty() ? std::string() : std::string(choices_.pick(fitting));
    }

    static std::string_view of_format(std::string_view format) {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 13> known = {{
            {"email", "ada@example.com"},
            {"uri", "https://example.com/a?b=c"},
            {"uri-reference", "/a/b"},
            {"date", "2026-01-31"},
            {"date-time", "2026-01-31T12:00:00Z"},
            {"time", "12:00:00Z"},
            {"duration", "P1D"},
            {"uuid", "00000000-0000-4000-8000-000000000000"},
            {"hostname", "example.com"},
            {"ipv4", "192.0.2.1"},
            {"ipv6", "2001:db8::1"},
            {"json-pointer", "/a"},
            {"regex", "a+"},
        }};
        const auto* found = std::ranges::find(known, format, &std::pair<std::string_view, std::string_view>::first);
        return found == known.end() ? std::string_view() : found->second;
    }

    json::value number(const json::value& schema, bool whole) {
        const auto step = number_of(schema, "multipleOf").value_or(whole ? 1.0 : 0.0);
        auto low = number_of(schema, "minimum"), high = number_of(schema, "maximum");
        const double edge = step > 0 ? step : 1e-3;
        if (const auto above = number_of(schema, "exclusiveMinimum"))
            low = std::max(low.value_or(*above), *above + edge);
        if (const auto under = number_of(schema, "exclusiveMaximum"))
            high = std::min(high.value_or(*under), *under - edge);
        if (!low && !high && !(step > 0 && !whole))
            return whole ? json::value(choices_.pick(integers)) : any_number(choices_);
        const double from = low.value_or(std::min(0.0, high.value_or(0.0)));
        const double to = high.value_or(from + 100 * edge);
        return fitted(choices_.below(2) == 0 ? from : choices_.below(2) == 0 ? to : (from + to) / 2, from, step, whole);
    }

    static json::value fitted(double x, double from, double step, bool whole) {
        if (step > 0) {
            x = std::floor(x / step) * step;
            if (x < from) x += step;
        }
        if ((whole || x == std::floor(x)) && std::abs(x) < 9e15) return static_cast<std::int64_t>(x);
        return x;
    }

    static std::int64_t length_of(const std::string& text) {
        return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    }
    static void cut_one(std::string& text) {
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
        if (!text.empty()) text.pop_back();
    }

    static constexpr std::array<std::int64_t, 7> integers = {1, 0, -1, 42, 2147483647, -2147483648, 9007199254740991};

    const json::value& root_;
    Choices& choices_;
};

}  // namespace

const json::value& dereferenced(const json::value& root, const json::value& place) {
    const auto* at = &place;
    for (unsigned hops = 0; hops < max_generated_depth; ++hops) {
        const auto* reference = member(*at, "$ref");
        if (!reference || !reference->is_string()) return *at;
        const std::string_view text = reference->as_string();
        if (!text.starts_with('#')) return *at;
        boost::system::error_code failed;
        const auto* found = root.find_pointer(text.substr(1), failed);
        if (failed || !found) return *at;
        at = found;
    }
    return *at;
}

json::value from_schema(const json::value& schema, Choices& choices) { return Guess(schema, choices).value(schema, 0); }

}  // namespace tenon::check
