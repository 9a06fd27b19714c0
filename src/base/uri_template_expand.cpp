#include "base/uri_encode.hpp"
#include "base/uri_template.hpp"
#include "base/utf8.hpp"

namespace tenon::base {
namespace {

using List = UriTemplate::List;
using Map = UriTemplate::Map;
using Value = UriTemplate::Value;
using Variable = UriTemplate::Variable;

// One row of the table in RFC 6570, appendix A.
struct Style {
    char op;
    std::string_view first;
    char separator;
    bool named;
    std::string_view if_empty;
    bool keeps_reserved;
};

constexpr Style styles[] = {
    {0, "", ',', false, "", false},    {'+', "", ',', false, "", true},   {'#', "#", ',', false, "", true},
    {'.', ".", '.', false, "", false}, {'/', "/", '/', false, "", false}, {';', ";", ';', true, "", false},
    {'?', "?", '&', true, "=", false}, {'&', "&", '&', true, "=", false},
};

const Style& style_of(char op) noexcept {
    for (const Style& style : styles)
        if (style.op == op) return style;
    return styles[0];
}

bool is_undefined(const Value& value) {
    if (const auto* list = std::get_if<List>(&value)) return list->empty();
    if (const auto* map = std::get_if<Map>(&value)) return map->empty();
    return false;
}

// Writes the values of one expression.
class Writer {
 public:
    Writer(std::string& out, const Style& style) : out_(out), style_(style) {}

    // Returns false when the variable has a prefix modifier and is a list or a map.
    bool write(const Variable& variable, const Value& value) {
        if (variable.prefix != 0 && !std::holds_alternative<std::string>(value)) return false;
        if (is_undefined(value)) return true;
        if (const auto* text = std::get_if<std::string>(&value)) {
            pair(variable.name, encode(variable.prefix ? utf8_first(*text, variable.prefix) : *text));
        } else if (const auto* list = std::get_if<List>(&value)) {
            variable.explode ? exploded(variable.name, *list) : pair(variable.name, joined(*list));
        } else {
            const Map& map = std::get<Map>(value);
            variable.explode ? exploded(map) : pair(variable.name, joined(map));
        }
        return true;
    }

 private:
    void pair(std::string_view name, const std::string& encoded) {
        begin_item();
        if (style_.named) {
            out_ += name;
            out_ += encoded.empty() ? style_.if_empty : "=";
        }
        out_ += encoded;
    }

    void exploded(std::string_view name, const List& list) {
        for (const auto& item : list) pair(name, encode(item));
    }

    void exploded(const Map& map) {
        for (const auto& [key, value] : map) {
            const std::string encoded = encode(value);
            begin_item();
            out_ += encode(key);
            out_ += style_.named && encoded.empty() ? style_.if_empty : "=";
            out_ += encoded;
        }
    }

    std::string joined(const List& list) const {
        std::string text;
        for (const auto& item : list) (text += &item == &list.front() ? "" : ",") += encode(item);
        return text;
    }

    std::string joined(const Map& map) const {
        List flat;
        for (const auto& [key, value] : map) flat.push_back(key), flat.push_back(value);
        return joined(flat);
    }

    void begin_item() {
        if (started_) {
            out_ += style_.separator;
        } else {
            out_ += style_.first;
        }
        started_ = true;
    }

    std::string encode(std::string_view text) const {
        return style_.keeps_reserved ? encode_reserved(text) : encode_unreserved(text);
    }

    std::string& out_;
    const Style& style_;
    bool started_ = false;
};

}  // namespace

std::optional<std::string> UriTemplate::expand(const Variables& variables) const {
    std::string uri;
    for (const Part& part : parts_) {
        if (part.is_literal()) {
            uri += part.literal;
            continue;
        }
        Writer writer(uri, style_of(part.op));
        for (const Variable& variable : part.variables) {
            const auto found = variables.find(variable.name);
            if (found != variables.end() && !writer.write(variable, found->second)) return std::nullopt;
        }
    }
    return uri;
}

}  // namespace tenon::base
