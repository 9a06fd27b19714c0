// Dates and times in the format of RFC 3339.
#include <tenon/typed/decode.hpp>

namespace tenon::detail {
namespace {

using namespace std::chrono;

void append_padded(std::string& out, std::int64_t n, std::size_t width) {
    const std::string digits = std::to_string(n);
    out.append(width > digits.size() ? width - digits.size() : 0, '0');
    out += digits;
}

void append_clock(std::string& out, const hh_mm_ss<seconds>& clock) {
    append_padded(out, clock.hours().count(), 2);
    out += ':';
    append_padded(out, clock.minutes().count(), 2);
    out += ':';
    append_padded(out, clock.seconds().count(), 2);
}

// Reads text from the front. After the first error, good() stays false.
class Scanner {
 public:
    explicit Scanner(std::string_view text) : text_(text) {}

    bool good() const { return good_; }
    bool at_end() const { return good_ && text_.empty(); }
    bool sees(char c) const { return !text_.empty() && text_[0] == c; }

    unsigned number(std::size_t width) {
        unsigned n = 0;
        while (width-- > 0) n = n * 10 + digit();
        return n;
    }
    unsigned digit() {
        if (text_.empty() || text_[0] < '0' || text_[0] > '9') return good_ = false, 0u;
        const auto d = static_cast<unsigned>(text_[0] - '0');
        text_.remove_prefix(1);
        return d;
    }
    bool sees_digit() const { return !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; }
    void expect(std::string_view any_of) {
        if (text_.empty() || any_of.find(text_[0]) == any_of.npos)
            good_ = false;
        else
            text_.remove_prefix(1);
    }

 private:
    std::string_view text_;
    bool good_ = true;
};

year_month_day scan_date(Scanner& in) {
    const auto y = in.number(4);
    in.expect("-");
    const auto m = in.number(2);
    in.expect("-");
    const auto d = in.number(2);
    return {year(static_cast<int>(y)), month(m), day(d)};
}

nanoseconds scan_fraction(Scanner& in) {
    std::int64_t n = in.digit();
    int digits = 1;
    while (in.good() && in.sees_digit()) {
        const unsigned d = in.digit();
        if (digits < 9) n = n * 10 + d, ++digits;
    }
    while (digits++ < 9) n *= 10;
    return nanoseconds(n);
}

// Returns the offset in minutes east of UTC.
minutes scan_offset(Scanner& in) {
    if (in.sees('Z') || in.sees('z')) return in.expect("Zz"), minutes(0);
    const bool west = in.sees('-');
    in.expect("+-");
    const auto h = in.number(2);
    in.expect(":");
    const auto m = in.number(2);
    if (h > 23 || m > 59) in.expect("");
    const minutes offset(h * 60 + m);
    return west ? -offset : offset;
}

struct Instant {
    sys_seconds whole;
    nanoseconds fraction{};
};

std::optional<Instant> parse_date_time(std::string_view text) {
    Scanner in(text);
    const year_month_day date = scan_date(in);
    in.expect("Tt");
    const auto h = in.number(2);
    in.expect(":");
    const auto m = in.number(2);
    in.expect(":");
    const auto s = in.number(2);
    Instant t;
    if (in.sees('.')) in.expect("."), t.fraction = scan_fraction(in);
    const minutes offset = scan_offset(in);
    if (!in.at_end() || !date.ok() || h > 23 || m > 59 || s > 60) return std::nullopt;
    t.whole = sys_days(date) + hours(h) + minutes(m) + seconds(s) - offset;
    // A leap second is the last second of a UTC day. It is read as the first second of the next day.
    if (s == 60 && t.whole != floor<days>(t.whole)) return std::nullopt;
    return t;
}

}  // namespace

std::string format_date(year_month_day date) {
    std::string out;
    if (!date.ok() || date.year() < year(0) || date.year() > year(9999)) return out;
    append_padded(out, int(date.year()), 4);
    out += '-';
    append_padded(out, unsigned(date.month()), 2);
    out += '-';
    append_padded(out, unsigned(date.day()), 2);
    return out;
}

std::string format_date_time(sys_seconds seconds_, nanoseconds fraction, int digits) {
    constexpr sys_seconds first = sys_days(year(0) / 1 / 1), end = sys_days(year(10000) / 1 / 1);
    if (seconds_ < first || seconds_ >= end) return {};
    const auto midnight = floor<days>(seconds_);
    std::string out = format_date(midnight);
    out += 'T';
    append_clock(out, hh_mm_ss<seconds>(seconds_ - midnight));
    if (digits > 0) {
        out += '.';
        std::string nanos;
        append_padded(nanos, fraction.count(), 9);
        out.append(nanos, 0, static_cast<std::size_t>(digits));
    }
    return out += 'Z';
}

bool read_date(const json::value& v, year_month_day& out, const Path& at) {
    if (!v.is_string()) return at.expected("a string", v);
    Scanner in(v.get_string());
    out = scan_date(in);
    return (in.at_end() && out.ok()) || at.expected_not("a date (2026-07-28)", v);
}

bool read_date_time(const json::value& v, sys_seconds& out, nanoseconds& fraction, sys_seconds min, sys_seconds max,
                    const Path& at) {
    if (!v.is_string()) return at.expected("a string", v);
    const auto t = parse_date_time(v.get_string());
    if (!t) return at.expected_not("a date and time (2026-07-28T12:00:00Z)", v);
    if (t->whole < min || t->whole > max) return at.expected_not("a date and time within the type's range", v);
    out = t->whole;
    fraction = t->fraction;
    return true;
}

}  // namespace tenon::detail
