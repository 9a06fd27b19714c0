#include "observe/timestamp.hpp"

#include <cstdint>

namespace tenon::observe {
namespace {

// Writes a number with leading zeros.
void put(char* at, std::size_t digits, std::uint32_t number) {
    for (char* c = at + digits; c != at; number /= 10) *--c = static_cast<char>('0' + number % 10);
}

}  // namespace

void append_timestamp(std::string& out, std::chrono::system_clock::time_point time) {
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const auto rest = floor<microseconds>(time - day).count();
    const auto second = static_cast<std::uint32_t>(rest / 1'000'000),
               micros = static_cast<std::uint32_t>(rest % 1'000'000);
    char text[] = "0000-00-00T00:00:00.000000Z";
    put(text, 4, static_cast<std::uint32_t>(static_cast<int>(date.year())));
    put(text + 5, 2, static_cast<unsigned>(date.month()));
    put(text + 8, 2, static_cast<unsigned>(date.day()));
    put(text + 11, 2, second / 3600);
    put(text + 14, 2, second / 60 % 60);
    put(text + 17, 2, second % 60);
    put(text + 20, 6, micros);
    out.append(text, sizeof text - 1);
}

std::string timestamp(std::chrono::system_clock::time_point time) {
    std::string out;
    append_timestamp(out, time);
    return out;
}

}  // namespace tenon::observe
