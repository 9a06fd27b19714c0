#include "web/date_field.hpp"

#include <algorithm>

namespace tenon::web {
namespace {

constexpr std::string_view days = "SunMonTueWedThuFriSat";
constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";

void put_name(char* at, std::string_view names, unsigned number) { std::ranges::copy(names.substr(3 * number, 3), at); }

void put_number(char* at, int digits, unsigned number) {
    for (; digits > 0; --digits, number /= 10) at[digits - 1] = static_cast<char>('0' + number % 10);
}

}  // namespace

std::string_view DateField::at(std::chrono::system_clock::time_point now) {
    using namespace std::chrono;
    const auto second = floor<seconds>(now);
    if (second != second_) {
        second_ = second;
        const auto day = floor<std::chrono::days>(second);
        const year_month_day date(day);
        const hh_mm_ss time(second - day);
        std::ranges::copy(std::string_view("Sun, 06 Nov 1994 08:49:37 GMT"), text_.begin());
        put_name(&text_[0], web::days, weekday(day).c_encoding());
        put_number(&text_[5], 2, static_cast<unsigned>(date.day()));
        put_name(&text_[8], web::months, static_cast<unsigned>(date.month()) - 1);
        put_number(&text_[12], 4, static_cast<unsigned>(static_cast<int>(date.year())));
        put_number(&text_[17], 2, static_cast<unsigned>(time.hours().count()));
        put_number(&text_[20], 2, static_cast<unsigned>(time.minutes().count()));
        put_number(&text_[23], 2, static_cast<unsigned>(time.seconds().count()));
    }
    return {text_.data(), text_.size()};
}

}  // namespace tenon::web
