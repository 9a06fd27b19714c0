// Formats of dates, times and durations: RFC 3339.
#include "schema/format.hpp"
#include "schema/text.hpp"

namespace tenon::schema::format {
namespace {

// Removes two digits from the front and returns their number, or -1 when they are missing or above `max`.
int take_two_digits(std::string_view& s, int max) {
    if (s.size() < 2 || !is_digit(s[0]) || !is_digit(s[1])) return -1;
    const int n = (s[0] - '0') * 10 + (s[1] - '0');
    s.remove_prefix(2);
    return n <= max ? n : -1;
}

bool take(std::string_view& s, char c) {
    if (!s.starts_with(c)) return false;
    s.remove_prefix(1);
    return true;
}

int days_in_month(int year, int month) {
    constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

// take_offset() returns minutes east of UTC, or no_offset when the offset is malformed.
constexpr int no_offset = 10'000;
int take_offset(std::string_view& s) {
    if (take(s, 'Z') || take(s, 'z')) return 0;
    if (s.empty() || (s[0] != '+' && s[0] != '-')) return no_offset;
    const int sign = s[0] == '+' ? 1 : -1;
    s.remove_prefix(1);
    const int hours = take_two_digits(s, 23);
    if (hours < 0 || !take(s, ':')) return no_offset;
    const int minutes = take_two_digits(s, 59);
    return minutes < 0 ? no_offset : sign * (hours * 60 + minutes);
}

bool take_fraction(std::string_view& s) {
    if (!take(s, '.')) return true;
    if (s.empty() || !is_digit(s[0])) return false;
    while (!s.empty() && is_digit(s[0])) s.remove_prefix(1);
    return true;
}

// Removes elements such as "3H20M" from the front. The units must come in the order of `units`, without gaps.
bool take_elements(std::string_view& s, std::string_view units) {
    std::size_t next = units.npos;
    while (!s.empty() && is_digit(s[0])) {
        while (!s.empty() && is_digit(s[0])) s.remove_prefix(1);
        if (s.empty()) return false;
        const auto at = units.find(s[0]);
        if (at == units.npos || (next != units.npos && at != next)) return false;
        next = at + 1;
        s.remove_prefix(1);
    }
    return next != units.npos;
}

}  // namespace

bool date(std::string_view s) {
    if (s.size() != 10) return false;
    const int century = take_two_digits(s, 99), in_century = take_two_digits(s, 99);
    if (century < 0 || in_century < 0 || !take(s, '-')) return false;
    const int month = take_two_digits(s, 12);
    if (month < 1 || !take(s, '-')) return false;
    const int day = take_two_digits(s, 31);
    return day >= 1 && day <= days_in_month(century * 100 + in_century, month);
}

// A leap second is valid only as the last second of a day in UTC, in every time zone.
bool time(std::string_view s) {
    const int hour = take_two_digits(s, 23);
    if (hour < 0 || !take(s, ':')) return false;
    const int minute = take_two_digits(s, 59);
    if (minute < 0 || !take(s, ':')) return false;
    const int second = take_two_digits(s, 60);
    if (second < 0 || !take_fraction(s)) return false;
    const int offset = take_offset(s);
    if (offset == no_offset || !s.empty()) return false;
    constexpr int day = 24 * 60;
    return second < 60 || (hour * 60 + minute - offset + day) % day == day - 1;
}

bool date_time(std::string_view s) {
    return s.size() > 11 && (s[10] == 'T' || s[10] == 't') && date(s.substr(0, 10)) && time(s.substr(11));
}

bool duration(std::string_view s) {
    if (!take(s, 'P')) return false;
    if (s.ends_with('W')) return take_elements(s, "W") && s.empty();
    if (!s.starts_with('T') && !take_elements(s, "YMD")) return false;
    if (s.empty()) return true;
    return take(s, 'T') && take_elements(s, "HMS") && s.empty();
}

}  // namespace tenon::schema::format
