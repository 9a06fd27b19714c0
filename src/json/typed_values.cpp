#include <cmath>
#include <stdexcept>

#include <tenon/typed/args.hpp>

#include "base/utf8.hpp"

namespace tenon::detail {

// ---- writing

json::value& ValueSink::place() {
    if (open_.empty()) return result_;
    json::value& parent = *open_.back();
    if (json::array* a = parent.if_array()) return a->emplace_back(nullptr);
    return parent.get_object()[key_];
}

void ValueSink::number(double d) {
    if (std::isfinite(d))
        place() = d;
    else
        null();
}

void ValueSink::string(std::string_view s) {
    if (base::is_utf8(s)) {
        place() = s;
        return;
    }
    std::string mended;
    while (!s.empty()) {
        const std::size_t valid = base::utf8_sequence(s);
        mended += valid ? s.substr(0, valid) : "\xEF\xBF\xBD";
        s.remove_prefix(valid ? valid : base::utf8_broken(s));
    }
    place() = mended;
}

// ---- reading

std::string Path::text() const {
    std::string s = parent_ ? parent_->text() : std::string();
    if (index_ != not_an_index) return s + '[' + std::to_string(index_) + ']';
    if (!s.empty() && !key_.empty()) s += '.';
    return s += key_;
}

bool Path::refuse(std::string message) const {
    report_.message = std::move(message);
    return false;
}

bool Path::expected(std::string_view what, const json::value& got) const {
    std::string found(noun_of(got));
    if (const json::array* a = got.if_array(); a && what.starts_with("an array of"))
        found += " of " + std::to_string(a->size());
    return mismatch(what, found);
}

bool Path::expected_not(std::string_view what, const json::value& got) const {
    return mismatch(what, base::shorten(json::write(got), 60));
}

bool Path::mismatch(std::string_view what, std::string_view found) const {
    const std::string place = text();
    std::string message = "expected " + std::string(what);
    if (!place.empty()) message += " at `" + place + '`';
    return refuse(message.append(", got ").append(found));
}

bool Path::missing() const { return refuse('`' + text() + "` is required"); }

bool Path::unknown(std::string_view member) const { return refuse("`" + Path(*this, member).text() + "` is unknown"); }

std::string_view noun_of(const json::value& v) {
    switch (v.kind()) {
        case json::kind::null: return "null";
        case json::kind::bool_: return "a boolean";
        case json::kind::int64:
        case json::kind::uint64: return "an integer";
        case json::kind::double_: return "a number";
        case json::kind::string: return "a string";
        case json::kind::array: return "an array";
        case json::kind::object: break;
    }
    return "an object";
}

bool read(const json::value& v, bool& out, const Path& at) {
    if (!v.is_bool()) return at.expected("a boolean", v);
    out = v.get_bool();
    return true;
}

bool read(const json::value& v, std::string& out, const Path& at) {
    if (!v.is_string()) return at.expected("a string", v);
    out = std::string_view(v.get_string());
    return true;
}

bool read(const json::value& v, double& out, const Path& at) {
    if (v.is_double() && !std::isfinite(v.get_double()))
        return at.refuse("the number at `" + at.text() + "` is too large");  // for example 1e400
    if (v.is_double())
        out = v.get_double();
    else if (v.is_int64())
        out = static_cast<double>(v.get_int64());
    else if (v.is_uint64())
        out = static_cast<double>(v.get_uint64());
    else
        return at.expected("a number", v);
    return true;
}

bool read(const json::value& v, float& out, const Path& at) {
    double wide = 0;
    if (!read(v, wide, at)) return false;
    if (std::abs(wide) > double(std::numeric_limits<float>::max()))
        return at.expected_not("a number within a float's range", v);
    out = static_cast<float>(wide);
    return true;
}

namespace {

// Returns the number as an integer, however it is stored, or nullopt when it has a fraction or does not fit.
template <class Wide>
std::optional<Wide> exact(const json::value& v) {
    if (v.is_int64() && std::in_range<Wide>(v.get_int64())) return static_cast<Wide>(v.get_int64());
    if (v.is_uint64() && std::in_range<Wide>(v.get_uint64())) return static_cast<Wide>(v.get_uint64());
    if (!v.is_double()) return std::nullopt;
    const double d = v.get_double();
    const double least = static_cast<double>(std::numeric_limits<Wide>::min());
    const double limit = std::ldexp(1.0, std::numeric_limits<Wide>::digits);  // the largest value plus one
    if (d < least || d >= limit || d != std::trunc(d)) return std::nullopt;
    return static_cast<Wide>(d);
}

template <class Wide>
bool read_exact(const json::value& v, Wide& out, Wide min, Wide max, const Path& at) {
    const bool integral = v.is_double() ? v.get_double() == std::trunc(v.get_double()) : v.is_number();
    if (!integral) return v.is_double() ? at.expected_not("an integer", v) : at.expected("an integer", v);
    const auto n = exact<Wide>(v);
    if (!n || *n < min || *n > max) {
        const std::string place = at.text();
        return at.refuse((place.empty() ? "the number" : '`' + place + '`') + " must be between " +
                         std::to_string(min) + " and " + std::to_string(max) + ", got " + json::write(v));
    }
    out = *n;
    return true;
}

}  // namespace

bool read_integer(const json::value& v, std::int64_t& out, std::int64_t min, std::int64_t max, const Path& at) {
    return read_exact(v, out, min, max, at);
}

bool read_integer(const json::value& v, std::uint64_t& out, std::uint64_t min, std::uint64_t max, const Path& at) {
    return read_exact(v, out, min, max, at);
}

bool not_an_enumerator(const json::value& v, std::initializer_list<const char*> names, const Path& at) {
    if (!v.is_string()) return at.expected("a string", v);
    std::string what = "one of ";
    for (const char* name : names) what += (what.size() > 7 ? ", \"" : "\"") + std::string(name) + '"';
    return at.expected_not(what, v);
}

// ---- arguments

void refuse_duplicates(const std::vector<std::string_view>& names) {
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (names[i] == names[j])
                throw std::invalid_argument("tenon: two arguments are named `" + std::string(names[i]) + '`');
}

bool only_known(const json::object& arguments, const std::vector<std::string_view>& names, const Path& at) {
    for (const auto& member : arguments) {
        bool known = false;
        for (std::string_view name : names) known = known || name == std::string_view(member.key());
        if (!known) return at.unknown(member.key());
    }
    return true;
}

bool refuse_crowded_bucket(const Path& at) {
    return at.refuse("`" + at.text() + "` has more than " + std::to_string(max_keys_in_one_bucket) +
                     " keys with the same hash; use other keys, or declare the parameter as an ordered container");
}

}  // namespace tenon::detail
