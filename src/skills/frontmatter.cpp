#include "skills/frontmatter.hpp"

#include <algorithm>
#include <optional>

#include "skills/yaml.hpp"
#include "skills/yaml_lines.hpp"

namespace tenon::skills {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

Error frontmatter_error(std::string message) { return {code::invalid_params, std::move(message)}; }

// Removes the first line, and returns it without its line break. Nullopt: there is no line break.
std::optional<std::string_view> take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// Returns the text between the two lines "---".
std::optional<std::string_view> find_block(std::string_view file) {
    if (file.starts_with(byte_order_mark)) file.remove_prefix(byte_order_mark.size());
    if (const auto first = take_line(file); !first || *first != "---") return std::nullopt;
    const char* begin = file.data();
    for (std::string_view rest = file; !rest.empty();) {
        const std::string_view before = rest;
        const std::string_view line = take_line(rest).value_or(before);
        if (trim_right(line) == "---") return std::string_view(begin, static_cast<std::size_t>(before.data() - begin));
        if (line.size() == before.size()) break;
    }
    return std::nullopt;
}

bool same_number(const json::value& a, const json::value& b) {
    return a.is_number() && b.is_number() && a.to_number<double>() == b.to_number<double>();
}

bool same_objects(const json::object& a, const json::object& b) {
    return a.size() == b.size() && std::ranges::all_of(a, [&b](const auto& member) {
               const json::value* other = b.if_contains(member.key());
               return other && same_frontmatter(member.value(), *other);
           });
}

}  // namespace

Result<json::object> read_frontmatter(std::string_view file, const SkillLimits& limits) {
    const auto block = find_block(file);
    if (!block) return frontmatter_error("has no frontmatter: begin the file with `---`, fields in YAML, and `---`");
    if (block->size() > limits.max_frontmatter_bytes)
        return frontmatter_error("has a frontmatter larger than SkillLimits::max_frontmatter_bytes (" +
                                 std::to_string(limits.max_frontmatter_bytes) + " bytes)");
    auto value = parse_yaml(*block);
    if (!value) return frontmatter_error("has a frontmatter that cannot be read: " + value.error().message);
    if (!value->is_object()) return frontmatter_error("has a frontmatter that is not a mapping of fields");
    return Result<json::object>(std::move(value->get_object()));
}

bool same_frontmatter(const json::value& a, const json::value& b) {
    if (a.is_object() && b.is_object()) return same_objects(a.get_object(), b.get_object());
    if (a.is_array() && b.is_array()) return std::ranges::equal(a.get_array(), b.get_array(), same_frontmatter);
    return a.is_number() ? same_number(a, b) : a == b;
}

}  // namespace tenon::skills
