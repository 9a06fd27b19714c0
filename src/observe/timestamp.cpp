#include "observe/timestamp.hpp"

namespace tenon::observe {
namespace {

// Writes a number at a fixed place, with leading zeros.
void put(std::string& out, std::size_t at, std::size_t digits, unsigned long long number) {
    for (std::size_t i = at + digits; i > at; number /= 10) out[--i] = static_cast<char>('0' + number % 10);
}

}  // namespace

std::string timestamp(std::chrono::system_clock::time_point time) {
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const auto rest = static_cast<unsigned long long>(floor<microseconds>(time - day).count());
    std::string out = "0000-00-00T00:00:00.000000Z";
    put(out, 0, 4, static_cast<unsigned long long>(static_cast<int>(date.year())));
    put(out, 5, 2, static_cast<unsigned>(date.month()));
    put(out, 8, 2, static_cast<unsigned>(date.day()));
    put(out, 11, 2, rest / 3'600'000'000);
    put(out, 14, 2, rest / 60'000'000 % 60);
    put(out, 17, 2, rest / 1'000'000 % 60);
    put(out, 20, 6, rest % 1'000'000);
    return out;
}

}  // namespace tenon::observe
