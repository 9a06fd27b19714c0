#include "check/property/refusal_words.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.hpp"

namespace tenon::check {
namespace {

constexpr std::array<std::string_view, 24> refusal_signs = {
    "error",  "invalid", "required", "missing",     "must be", "fail",    "unknown",    "not found",
    "cannot", "can't",   "expected", "undefined",   "no such", "unable",  "could not",  "couldn't",
    "please", "provide", "denied",   "unavailable", "is not",  "are not", "not loaded", "is loaded"};

}  // namespace

bool reads_like_refusal(std::string_view text) {
    std::string low(text);
    std::ranges::transform(low, low.begin(), base::lower);
    return std::ranges::any_of(refusal_signs, [&](std::string_view sign) { return low.find(sign) != low.npos; });
}

}  // namespace tenon::check
