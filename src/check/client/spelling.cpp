#include <vector>

#include "check/client/played_server.hpp"

namespace tenon::check::client {
namespace {

void write_value(const json::value& v, std::string& out);

// Writes the first character as an escape if it is plain ASCII.
void write_string(std::string_view text, std::string& out) {
    const std::string plain = json::write(json::value(text));
    const bool simple = plain.size() > 2 && plain[1] != '\\' && static_cast<unsigned char>(plain[1]) < 0x80;
    if (!simple) return void(out += plain);
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto first = static_cast<unsigned char>(plain[1]);
    out += "\"\\u00";
    out += digits[first >> 4];
    out += digits[first & 15];
    out += plain.substr(2);
}

void write_object(const json::object& o, std::string& out) {
    out += "{ ";
    for (auto member = o.end(); member != o.begin();) {
        --member;
        write_string(member->key(), out);
        out += " :\t";
        write_value(member->value(), out);
        if (member != o.begin()) out += " , ";
    }
    out += " }";
}

void write_array(const json::array& a, std::string& out) {
    out += "[ ";
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (i > 0) out += " ,";
        write_value(a[i], out);
    }
    out += " ]";
}

void write_value(const json::value& v, std::string& out) {
    if (const json::object* o = v.if_object()) return write_object(*o, out);
    if (const json::array* a = v.if_array()) return write_array(*a, out);
    if (const auto* s = v.if_string()) return write_string(*s, out);
    out += json::write(v);
}

}  // namespace

std::string oddly_spelled(std::string_view text) {
    const auto parsed = json::parse(text);
    if (!parsed) return std::string(text);
    std::string out = " \t";
    write_value(*parsed, out);
    return out + " \r";
}

}  // namespace tenon::check::client
