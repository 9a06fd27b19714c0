#include "observe/timestamp.hpp"

#include <algorithm>
#include <cstdint>

namespace tenon::observe {
namespace {

// Writes a number with leading zeros.
void put(char* at, std::size_t digits, std::uint32_t number) {
    for (char* c = at + digits; c != at; number /= 10) *--c = static_cast<char>('0' + number % 10);
}

}  // namespace

std::string_view TimestampWriter::write(std::chrono::system_clock::time_point time) {
    using namespace std::chrono;
    const auto second = floor<seconds>(time);
    if (second != second_) write_second(second);
    put(text_.data() + 20, 6, static_cast<std::uint32_t>(floor<microseconds>(time - second).count()));
    return {text_.data(), text_.size()};
}

void TimestampWriter::write_second(std::chrono::sys_seconds second) {
    using namespace std::chrono;
    const auto day = floor<days>(second);
    const year_month_day date(day);
    const auto rest = static_cast<std::uint32_t>((second - day).count());
    constexpr std::string_view zero = "0000-00-00T00:00:00.000000Z";
    std::ranges::copy(zero, text_.begin());
    put(text_.data(), 4, static_cast<std::uint32_t>(static_cast<int>(date.year())));
    put(text_.data() + 5, 2, static_cast<unsigned>(date.month()));
    put(text_.data() + 8, 2, static_cast<unsigned>(date.day()));
    put(text_.data() + 11, 2, rest / 3600);
    put(text_.data() + 14, 2, rest / 60 % 60);
    put(text_.data() + 17, 2, rest % 60);
    second_ = second;
}

std::string timestamp(std::chrono::system_clock::time_point time) { return std::string(TimestampWriter().write(time)); }

}  // namespace tenon::observe
