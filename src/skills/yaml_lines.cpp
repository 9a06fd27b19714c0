#include "skills/yaml_lines.hpp"

#include <algorithm>

namespace tenon::skills {

std::vector<YamlLine> yaml_lines(std::string_view text) {
    std::vector<YamlLine> out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        const std::string_view rest = trim_left(line.substr(indent));
        out.push_back({line, indent, rest.empty() || rest[0] == '#'});
    }
    return out;
}

std::size_t comment_start(std::string_view text, std::size_t from) {
    for (std::size_t at = text.find('#', from); at != std::string_view::npos; at = text.find('#', at + 1))
        if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t') return at;
    return text.size();
}

std::string_view trim_right(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t");
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::string_view trim_left(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::size_t colon_after_key(std::string_view text) {
    const std::size_t end = comment_start(text, 1);
    for (std::size_t at = text.find(':'); at < end; at = text.find(':', at + 1))
        if (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\t') return at;
    return std::string_view::npos;
}

}  // namespace tenon::skills
