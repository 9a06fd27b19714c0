#include "json_text.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t deepest_layout = 100;

void write_pretty(const json::value& v, std::size_t depth, std::string& out);

template <class Members, class WriteMember>
void write_members(const Members& members, char open, char close, std::size_t depth, std::string& out,
                   WriteMember write_member) {
    out += open;
    bool first = true;
    for (const auto& m : members) {
        if (!first) out += ',';
        first = false;
        out += '\n';
        out.append(2 * (depth + 1), ' ');
        write_member(m);
    }
    out += '\n';
    out.append(2 * depth, ' ');
    out += close;
}

void write_pretty(const json::value& v, std::size_t depth, std::string& out) {
    const json::object* o = v.if_object();
    const json::array* a = v.if_array();
    if (depth < deepest_layout && o && !o->empty()) {
        write_members(*o, '{', '}', depth, out, [&](const auto& m) {
            out += json::write(json::value(m.key()));
            out += ": ";
            write_pretty(m.value(), depth + 1, out);
        });
    } else if (depth < deepest_layout && a && !a->empty()) {
        write_members(*a, '[', ']', depth, out, [&](const json::value& item) { write_pretty(item, depth + 1, out); });
    } else {
        out += json::write(v);
    }
}

}  // namespace

SafeText pretty_json(const json::value& v) {
    std::string out;
    write_pretty(v, 0, out);
    return safe_json(out);
}

SafeText compact_json(const json::value& v) { return safe_json(json::write(v)); }

}  // namespace tenon::program
