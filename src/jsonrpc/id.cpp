#include "jsonrpc/id.hpp"

#include <limits>

namespace tenon::jsonrpc {
namespace {

// Exactly: an integer that a double cannot hold equals none.
template <class Integer>
bool same(Integer i, double d) {
    constexpr double limit = 2.0 * static_cast<double>(std::uint64_t{1} << (std::numeric_limits<Integer>::digits - 1));
    return d >= static_cast<double>(std::numeric_limits<Integer>::min()) && d < limit && static_cast<double>(i) == d &&
           static_cast<Integer>(d) == i;
}

}  // namespace

std::optional<Id> Id::from(const json::value& v, std::string_view spelling) {
    switch (v.kind()) {
        case json::kind::int64:
            if (spelling == "-0") return Id(-0.0, "-0");
            return Id(v.get_int64());
        case json::kind::uint64: return Id(v.get_uint64());
        case json::kind::double_: return Id(v.get_double(), spelling.empty() ? json::write(v) : std::string(spelling));
        case json::kind::string: return Id(std::string(v.get_string()));
        default: return std::nullopt;
    }
}

void Id::write(json::Writer& w) const {
    if (const auto* i = std::get_if<std::int64_t>(&value_)) return w.number(*i);
    if (const auto* u = std::get_if<std::uint64_t>(&value_)) return w.number(*u);
    if (const auto* d = std::get_if<Decimal>(&value_)) return w.raw(d->spelling);
    w.string(std::get<std::string>(value_));
}

std::string Id::text() const {
    std::string out;
    json::Writer w(out);
    write(w);
    return out;
}

std::optional<double> Id::number() const {
    if (const auto* i = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*i);
    if (const auto* u = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*u);
    if (const auto* d = std::get_if<Decimal>(&value_)) return d->value;
    return std::nullopt;
}

bool operator==(const Id& a, const Id& b) {
    const auto* da = std::get_if<Id::Decimal>(&a.value_);
    const auto* db = std::get_if<Id::Decimal>(&b.value_);
    if (!da && db) return b == a;
    if (da && !db) {
        if (const auto* i = std::get_if<std::int64_t>(&b.value_)) return same(*i, da->value);
        if (const auto* u = std::get_if<std::uint64_t>(&b.value_)) return same(*u, da->value);
        return false;
    }
    if (a.value_.index() != b.value_.index()) return false;  // a parser gives an integer the first type that holds it
    if (const auto* d = std::get_if<Id::Decimal>(&a.value_)) return d->value == std::get<Id::Decimal>(b.value_).value;
    if (const auto* i = std::get_if<std::int64_t>(&a.value_)) return *i == std::get<std::int64_t>(b.value_);
    if (const auto* u = std::get_if<std::uint64_t>(&a.value_)) return *u == std::get<std::uint64_t>(b.value_);
    return std::get<std::string>(a.value_) == std::get<std::string>(b.value_);
}

std::size_t Id::hash() const {
    if (const auto* s = std::get_if<std::string>(&value_)) return std::hash<std::string>()(*s);
    return std::hash<double>()(*number());
}

}  // namespace tenon::jsonrpc
