#include "jsonrpc/id.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

namespace tenon::jsonrpc {
namespace {

// Returns a canonical text for the value of a JSON number: its significant digits, and the exponent of the last digit.
std::string exact(std::string_view number) {
    const std::size_t e = std::min(number.find_first_of("eE"), number.size());
    std::string_view power = number.substr(e).substr(e < number.size() ? 1 : 0);
    if (power.starts_with('+')) power.remove_prefix(1);
    long long exponent = 0;
    if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range)
        return std::string(number);

    std::string digits(number.substr(0, e));
    if (const auto point = digits.find('.'); point != std::string::npos) {
        exponent -= static_cast<long long>(digits.size() - point - 1);
        digits.erase(point, 1);
    }
    const std::size_t sign = digits.starts_with('-') ? 1 : 0;
    digits.erase(sign, std::min(digits.find_first_not_of('0', sign), digits.size()) - sign);
    for (; digits.ends_with('0'); ++exponent) digits.pop_back();
    if (digits.size() == sign) return "0";
    return digits + "e" + std::to_string(exponent);
}

}  // namespace

std::optional<Id> Id::from(const json::value& v, std::string_view spelling) {
    switch (v.kind()) {
        case json::kind::int64:
            if (spelling == "-0") return Id(-0.0, "-0");
            return Id(v.get_int64());
        case json::kind::uint64: return Id(v.get_uint64());
        case json::kind::double_: return Id(v.get_double(), std::string(spelling));
        case json::kind::string: return Id(std::string(v.get_string()));
        default: return std::nullopt;
    }
}

void Id::write(json::Writer& w) const {
    if (const auto* i = std::get_if<std::int64_t>(&value_)) return w.number(*i);
    if (const auto* u = std::get_if<std::uint64_t>(&value_)) return w.number(*u);
    if (const auto* d = std::get_if<Decimal>(&value_))
        return d->spelling.empty() ? w.number(d->rounded) : w.raw(d->spelling);
    w.string(std::get<std::string>(value_));
}

std::string Id::text() const {
    std::string out;
    json::Writer w(out);
    write(w);
    return out;
}

std::optional<double> Id::rounded() const {
    if (const auto* i = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*i);
    if (const auto* u = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*u);
    if (const auto* d = std::get_if<Decimal>(&value_)) return d->rounded;
    return std::nullopt;
}

// Exported here, because g++ ignores the visibility of the header for a friend.
[[gnu::visibility("default")]] bool operator==(const Id& a, const Id& b) {
    const auto *i = std::get_if<std::int64_t>(&a.value_), *j = std::get_if<std::int64_t>(&b.value_);
    if (i && j) return *i == *j;  // most ids are integers
    const auto *x = std::get_if<std::string>(&a.value_), *y = std::get_if<std::string>(&b.value_);
    if (x || y) return x && y && *x == *y;
    if (*a.rounded() != *b.rounded()) return false;
    const auto* d = std::get_if<Id::Decimal>(&a.value_);
    const auto* e = std::get_if<Id::Decimal>(&b.value_);
    if ((d && d->spelling.empty()) || (e && e->spelling.empty())) return true;
    return d || e ? exact(a.text()) == exact(b.text()) : a.text() == b.text();
}

std::size_t Id::hash() const {
    if (const auto* s = std::get_if<std::string>(&value_)) return std::hash<std::string>()(*s);
    return std::bit_cast<std::uint64_t>(*rounded() + 0.0);  // -0 is 0
}

}  // namespace tenon::jsonrpc
