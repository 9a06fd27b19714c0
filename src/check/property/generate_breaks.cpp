#include "check/property/generate_breaks.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "check/property/generate_from_schema.hpp"

namespace tenon::check {
namespace {

constexpr std::size_t max_breaks = 64;
constexpr unsigned max_break_depth = 4;

class Breaker {
 public:
    Breaker(const json::value& root, const json::value& good) : root_(root), work_(good) {}

    std::vector<json::value> run() {
        visit(root_, work_, 0);
        return std::move(made_);
    }

 private:
    // `at` is a place inside work_. When this function returns, work_ is the valid value again.
    void visit(const json::value& place, json::value& at, unsigned depth) {
        const auto& schema = dereferenced(root_, place);
        if (!schema.is_object() || depth > max_break_depth) return;
        const auto& keywords = schema.as_object();
        if (depth > 0) wrong_type(keywords, at);
        if (keywords.contains("enum") || keywords.contains("const")) replace(at, "no such value of the list");
        if (at.is_number()) numbers(keywords, at);
        if (at.is_string()) strings(keywords, at);
        if (at.is_array()) arrays(keywords, at, depth);
        if (at.is_object()) objects(keywords, at, depth);
    }

    void keep() {
        if (made_.size() < max_breaks) made_.push_back(work_);
    }
    void replace(json::value& at, json::value other) {
        auto good = std::exchange(at, std::move(other));
        keep();
        at = std::move(good);
    }

    void wrong_type(const json::object& keywords, json::value& at) {
        if (!keywords.contains("type")) return;
        if (!at.is_object()) replace(at, json::object{{"not", "this"}});
        if (!at.is_string()) replace(at, "not this");
        if (!at.is_number()) replace(at, 7);
        if (at.is_number()) replace(at, 0.5);  // wrong where an integer is required
        replace(at, nullptr);
    }

    void numbers(const json::object& keywords, json::value& at) {
        for (const auto& [key, change] : {std::pair("minimum", -1.0), std::pair("maximum", 1.0),
                                          std::pair("exclusiveMinimum", 0.0), std::pair("exclusiveMaximum", 0.0)})
            if (const auto* limit = keywords.if_contains(key); limit && limit->is_number())
                replace(at, whole(limit->to_number<double>() + change));
        if (const auto* step = keywords.if_contains("multipleOf"); step && step->is_number())
            replace(at, at.to_number<double>() + step->to_number<double>() / 2);
    }
    static json::value whole(double x) {
        const auto n = static_cast<std::int64_t>(std::clamp(x, -9e15, 9e15));
        return static_cast<double>(n) == x ? json::value(n) : json::value(x);
    }

    void strings(const json::object& keywords, json::value& at) {
        if (const auto* least = keywords.if_contains("minLength"); least && least->is_int64() && least->as_int64() > 0)
            replace(at, "");
        if (const auto* most = keywords.if_contains("maxLength"); most && most->is_int64() && most->as_int64() < 65'536)
            replace(at, json::value(std::string(static_cast<std::size_t>(most->as_int64()) + 1, 'x')));
        if (keywords.contains("pattern")) replace(at, "\x01 no pattern takes this \x01");
    }

    void arrays(const json::object& keywords, json::value& at, unsigned depth) {
        auto& items = at.as_array();
        if (keywords.contains("minItems") && !items.empty()) replace(at, json::array());
        if (const auto* most = keywords.if_contains("maxItems");
            most && most->is_int64() && most->as_int64() < 1000 && !items.empty())
            replace(at, json::array(static_cast<std::size_t>(most->as_int64()) + 1, items.front()));
        if (const auto* unique = keywords.if_contains("uniqueItems"); unique && *unique == true && !items.empty())
            replace(at, json::array(2, items.front()));
        if (const auto* each = keywords.if_contains("items"); each && !items.empty()) visit(*each, items[0], depth + 1);
    }

    void objects(const json::object& keywords, json::value& at, unsigned depth) {
        if (const auto* required = keywords.if_contains("required"); required && required->is_array())
            for (const auto& name : required->as_array())
                if (name.is_string() && at.as_object().contains(name.as_string())) {
                    auto fewer = at.as_object();
                    fewer.erase(name.as_string());
                    replace(at, std::move(fewer));
                }
        if (const auto* rest = keywords.if_contains("additionalProperties"); rest && rest->is_bool()) {
            auto more = at.as_object();
            more.insert_or_assign("nobody_asked_for_this", true);
            replace(at, std::move(more));
        }
        if (const auto* properties = keywords.if_contains("properties"); properties && properties->is_object())
            for (const auto& [name, known] : properties->as_object())
                if (auto* inner = at.as_object().if_contains(name)) visit(known, *inner, depth + 1);
    }

    const json::value& root_;
    json::value work_;
    std::vector<json::value> made_;
};

}  // namespace

std::vector<json::value> breaks_of(const json::value& schema, const json::value& good) {
    return Breaker(schema, good).run();
}

}  // namespace tenon::check
