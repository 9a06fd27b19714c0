#include "near.hpp"

#include <algorithm>
#include <cctype>

namespace tenon::program {
namespace {

constexpr std::size_t longest_compared = 64;
constexpr std::size_t most_named = 12;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Returns the edit distance: the number of insertions, deletions, replacements and swaps of neighbours. Ignores case.
std::size_t distance(std::string_view a, std::string_view b) {
    a = a.substr(0, longest_compared), b = b.substr(0, longest_compared);
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view typed, const std::vector<std::string>& candidates) {
    const std::size_t close_enough = std::max<std::size_t>(1, typed.size() / 3);
    std::optional<std::string> best;
    std::size_t best_distance = close_enough + 1;
    for (const std::string& candidate : candidates) {
        const bool begins_so = typed.size() >= 2 && candidate.starts_with(typed);
        const std::size_t d = begins_so ? 1 : distance(typed, candidate);
        if (d < best_distance) best = candidate, best_distance = d;
    }
    return best;
}

std::string suggestion(std::string_view typed, const std::vector<std::string>& candidates) {
    if (const auto meant = nearest(typed, candidates)) return "did you mean `" + *meant + "`?";
    if (candidates.empty() || candidates.size() > most_named) return {};
    std::string out = candidates.size() == 1 ? "there is only " : "there are ";
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (i > 0) out += i + 1 == candidates.size() ? " and " : ", ";
        out += "`" + candidates[i] + "`";
    }
    return out;
}

}  // namespace tenon::program
