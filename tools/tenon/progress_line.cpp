#include "progress_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "layout.hpp"

namespace tenon::program {
namespace {

constexpr std::size_t widest_bar = 30;
constexpr std::array<Literal, 4> spinner = {"|", "/", "-", "\\"};

SafeText shown_number(double n) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", n);
    return safe_line(text.data());
}

SafeText percentage(double share) {
    const auto percent = static_cast<std::int64_t>(share * 100);
    return spaces(percent < 10 ? 2 : percent < 100 ? 1 : 0) + number(percent) + "%";
}

SafeText bar(double share, std::size_t width) {
    const auto full = static_cast<std::size_t>(share * static_cast<double>(width));
    return "[" + repeated("#", full) + repeated("-", width - full) + "] " + percentage(share);
}

}  // namespace

SafeText progress_line(const Progress& progress, std::size_t turn, std::size_t width) {
    const double total = progress.total.value_or(0);
    const bool has_share = std::isfinite(total) && total > 0 && std::isfinite(progress.progress);
    SafeText out = has_share ? bar(std::clamp(progress.progress / total, 0.0, 1.0), std::min(widest_bar, width / 3))
                             : SafeText(spinner[turn % spinner.size()]) + " " + shown_number(progress.progress);
    if (!progress.message.empty()) out += " " + safe_line(progress.message);
    // One column stays free, because some terminals begin a new line when the cursor is in the last column.
    return cut(out, width > 1 ? width - 1 : 1);
}

}  // namespace tenon::program
