#include "schema/messages.hpp"

#include <tenon/json_writer.hpp>

#include "base/utf8.hpp"

namespace tenon::schema {
namespace {

constexpr std::size_t longest_value = 80;
constexpr std::size_t longest_name = 60;

}  // namespace

std::string written(const json::value& v) {
    if (const auto* a = v.if_array()) return "an array of " + counted(a->size(), "element");
    if (v.is_object()) return "an object";
    if (const auto* s = v.if_string()) return json::write(json::value(base::shorten(*s, longest_value)));
    return json::write(v);
}

std::string described(const json::value& v) {
    if (v.is_string()) return "the string " + written(v);
    if (is_number(v)) return "the number " + written(v);
    return written(v);
}

std::string type_names(Types allowed) {
    struct Name {
        Types bits;
        std::string_view name;
    };
    constexpr Name names[] = {{types::number, "a number"}, {types::integer, "an integer"},
                              {types::string, "a string"}, {types::boolean, "a boolean"},
                              {types::array, "an array"},  {types::object, "an object"},
                              {types::null, "null"}};
    std::string out;
    for (const auto& [bits, name] : names) {
        if ((allowed & bits) != bits) continue;
        out.append(out.empty() ? "" : " or ").append(name);
        allowed = static_cast<Types>(allowed & ~bits);
    }
    return out;
}

std::string counted(std::uint64_t n, std::string_view what) {
    const std::string plural = what == "property" ? "properties" : std::string(what) + "s";
    return std::to_string(n) + " " + (n == 1 ? std::string(what) : plural);
}

std::string quoted(std::string_view name) { return "`" + base::shorten(name, longest_name) + "`"; }

std::string listed(const StringTable& names, const std::vector<PropertyRule>& properties) {
    constexpr std::uint32_t most = 12;
    std::string out;
    std::uint32_t known = 0;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        if (properties[i].node == no_node) continue;
        if (++known <= most) out.append(out.empty() ? "" : ", ").append(quoted(names[i]));
    }
    if (known > most) out += " and " + std::to_string(known - most) + " more";
    return out;
}

}  // namespace tenon::schema
