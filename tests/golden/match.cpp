#include "golden/match.hpp"

#include <cctype>

namespace golden {
namespace {

namespace json = tenon::json;

bool is_name(std::string_view s) {
    if (s.size() < 2 || s.front() != '$') return false;
    for (const char c : s.substr(1))
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) return false;
    return true;
}

std::string string_difference(const std::string& expected, const json::value& actual,
                              std::map<std::string, std::string>& names, const std::string& path) {
    if (expected == "*") return {};
    if (!actual.is_string()) return path + " is not a string";
    const std::string text(actual.get_string());
    if (is_name(expected)) {
        const auto [it, fresh] = names.emplace(expected.substr(1), text);
        return fresh || it->second == text ? "" : path + " is not the value kept before";
    }
    return glob(expected, text) ? "" : path + " differs";
}

std::string object_difference(const json::object& expected, const json::object& actual,
                              std::map<std::string, std::string>& names, const std::string& path) {
    for (const auto& member : expected) {
        const std::string at = path + "." + std::string(member.key());
        const json::value* other = actual.if_contains(member.key());
        if (!other) return at + " is missing";
        if (auto d = difference(member.value(), *other, names, at); !d.empty()) return d;
    }
    for (const auto& member : actual)
        if (!expected.contains(member.key())) return path + "." + std::string(member.key()) + " is unexpected";
    return {};
}

}  // namespace

bool glob(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) return text.empty();
    if (pattern.front() != '*')
        return !text.empty() && text.front() == pattern.front() && glob(pattern.substr(1), text.substr(1));
    const std::string_view rest = pattern.substr(1);
    const std::size_t star = rest.find('*');
    if (star == std::string_view::npos) return text.ends_with(rest);
    const std::size_t at = text.find(rest.substr(0, star));
    return at != std::string_view::npos && glob(rest.substr(star), text.substr(at + star));
}

std::string difference(const json::value& expected, const json::value& actual,
                       std::map<std::string, std::string>& names, const std::string& path) {
    if (const auto* s = expected.if_string()) return string_difference(std::string(*s), actual, names, path);
    if (expected.is_number() && actual.is_number())
        return expected == actual || expected.to_number<double>() == actual.to_number<double>() ? ""
                                                                                                : path + " differs";
    if (expected.kind() != actual.kind()) return path + " is of another type";
    if (const auto* o = expected.if_object()) return object_difference(*o, actual.get_object(), names, path);
    if (const auto* a = expected.if_array()) {
        const auto& b = actual.get_array();
        if (a->size() != b.size()) return path + " has " + std::to_string(b.size()) + " elements";
        for (std::size_t i = 0; i < a->size(); ++i)
            if (auto d = difference((*a)[i], b[i], names, path + "[" + std::to_string(i) + "]"); !d.empty()) return d;
        return {};
    }
    return expected == actual ? "" : path + " differs";
}

}  // namespace golden
