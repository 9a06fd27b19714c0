#include "golden/dialogue.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace golden {
namespace {

std::string trim(std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return std::string(s);
}

std::pair<std::string_view, std::string_view> split_once(std::string_view s, char separator) {
    const std::size_t at = s.find(separator);
    if (at == std::string_view::npos) return {s, {}};
    return {s.substr(0, at), s.substr(at + 1)};
}

void read_header(Dialogue& d, std::string_view comment) {
    const auto [name, value] = split_once(comment, ':');
    static const std::vector<std::string> names = {"rules", "revisions", "client", "offers", "limits", "options"};
    if (std::ranges::find(names, trim(name)) != names.end()) {
        d.header[trim(name)] = trim(value);
    } else if (d.behaviour.empty()) {
        d.behaviour = trim(comment);
    }
}

Line read_line(std::string_view text, int number) {
    Line line{.number = number, .mark = {}, .text = {}};
    if (text.starts_with('@')) {
        const auto [revisions, rest] = split_once(text.substr(1), ' ');
        line.revisions = words(revisions, ",");
        text = rest;
    }
    const auto [mark, rest] = split_once(text, ' ');
    static const std::vector<std::string> marks = {">", "<", "<<", ">bytes", "<raw", "=", "~", "!", "%", "audit"};
    line.mark = mark;
    line.text = rest;
    if (std::ranges::find(marks, line.mark) == marks.end())
        throw std::runtime_error("line " + std::to_string(number) + " begins with " + line.mark + ", which is unknown");
    return line;
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

}  // namespace

bool Line::is_for(std::string_view revision) const {
    return revisions.empty() || std::ranges::find(revisions, revision) != revisions.end();
}

std::string Dialogue::field(const std::string& name, std::string otherwise) const {
    const auto it = header.find(name);
    return it == header.end() ? otherwise : it->second;
}

std::vector<std::string> Dialogue::revisions() const {
    const std::string named = field("revisions");
    if (named == "all") return {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
    return words(named);
}

Dialogue read_dialogue(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    Dialogue d;
    std::string text;
    for (int number = 1; std::getline(file, text); ++number) {
        if (text.starts_with('#')) {
            read_header(d, std::string_view(text).substr(1));
        } else if (!trim(text).empty()) {
            d.lines.push_back(read_line(text, number));
        }
    }
    if (d.behaviour.empty()) throw std::runtime_error(path + " does not say which behaviour it pins");
    return d;
}

std::vector<std::string> words(std::string_view text, std::string_view separators) {
    std::vector<std::string> out;
    std::string word;
    for (const char c : text) {
        if (separators.find(c) == std::string_view::npos) {
            word += c;
        } else if (!word.empty()) {
            out.push_back(std::exchange(word, {}));
        }
    }
    if (!word.empty()) out.push_back(word);
    return out;
}

std::string unescape(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        switch (const char c = text[++i]) {
            case 'n': out += '\n'; break;
            case 'r': out += '\r'; break;
            case 't': out += '\t'; break;
            case 'x':
                out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
                i += 2;
                break;
            default: out += c;
        }
    }
    return out;
}

std::string expand(std::string text, const std::map<std::string, std::string>& names) {
    static const std::string repeat = "$repeat{";
    for (std::size_t at = text.find(repeat); at != std::string::npos; at = text.find(repeat, at)) {
        const std::size_t middle = text.find("}{", at), end = text.find('}', middle + 2);
        const std::string piece = text.substr(at + repeat.size(), middle - at - repeat.size());
        std::string many;
        for (int count = std::stoi(text.substr(middle + 2, end - middle - 2)); count > 0; --count) many += piece;
        text.replace(at, end + 1 - at, many);
        at += many.size();
    }
    for (const auto& [name, value] : names) replace_all(text, "$" + name, value);
    return text;
}

}  // namespace golden
