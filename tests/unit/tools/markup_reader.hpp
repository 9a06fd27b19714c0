// Finds the first error in XML, or in HTML written like XML. Does not support CDATA, comments or processing
// instructions, because the reports have none.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tenon/unicode.hpp"

namespace tenon::program {

class MarkupReader {
 public:
    explicit MarkupReader(std::string_view text, std::set<std::string, std::less<>> void_tags = {})
        : left_(text), void_tags_(std::move(void_tags)) {}

    std::string fault() {
        if (const std::string bad = bad_character(left_); !bad.empty()) return bad;
        while (!left_.empty() && fault_.empty()) {
            if (left_.front() == '<')
                tag();
            else
                text();
        }
        if (fault_.empty() && !open_.empty()) return "not closed: " + open_.back();
        return fault_;
    }

 private:
    static std::string bad_character(std::string_view text) {
        while (!text.empty()) {
            const CodePoint c = first_code_point(text);
            if (!c.valid) return "invalid UTF-8";
            if ((c.value < 0x20 && c.value != '\n' && c.value != '\t') || c.value == 0xFFFE || c.value == 0xFFFF)
                return "a character that XML forbids";
            text.remove_prefix(c.bytes);
        }
        return {};
    }

    void text() {
        const std::string_view run = left_.substr(0, left_.find('<'));
        left_.remove_prefix(run.size());
        if (!raw()) check_entities(run);
    }
    bool raw() const { return !open_.empty() && (open_.back() == "script" || open_.back() == "style"); }

    void check_entities(std::string_view run) {
        for (std::size_t i = 0; (i = run.find('&', i)) != std::string_view::npos; ++i) {
            const std::string_view name = run.substr(i + 1, run.find(';', i) - i - 1);
            static const std::set<std::string_view> known = {"amp", "lt", "gt", "quot", "#39"};
            if (!known.contains(name)) fault_ = "an unknown entity: " + std::string(run.substr(i, 10));
        }
    }

    void tag() {
        const std::size_t end = end_of_tag();
        if (end == std::string_view::npos) return void(fault_ = "a tag without an end");
        std::string_view inside = left_.substr(1, end - 1);
        left_.remove_prefix(end + 1);
        if (inside.starts_with('?') || inside.starts_with('!')) return;
        if (inside.starts_with('/')) return close(inside.substr(1));
        const bool empty = inside.ends_with('/');
        const std::string name(inside.substr(0, inside.find_first_of(" /")));
        if (name.empty()) fault_ = "a tag without a name";
        check_entities(inside);
        if (!empty && !void_tags_.contains(name)) open_.push_back(name);
    }
    // Finds the ">" that is not inside of quotes.
    std::size_t end_of_tag() const {
        bool quoted = false;
        for (std::size_t i = 0; i < left_.size(); ++i) {
            if (left_[i] == '"') quoted = !quoted;
            if (left_[i] == '>' && !quoted) return i;
        }
        return std::string_view::npos;
    }
    void close(std::string_view name) {
        if (open_.empty() || open_.back() != name) return void(fault_ = "closed, but not open: " + std::string(name));
        open_.pop_back();
    }

    std::string_view left_;
    std::set<std::string, std::less<>> void_tags_;
    std::vector<std::string> open_;
    std::string fault_;
};

}  // namespace tenon::program
