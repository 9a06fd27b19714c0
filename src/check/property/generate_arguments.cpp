#include "check/property/generate_arguments.hpp"

#include <utility>
#include <vector>

#include "check/property/generate_breaks.hpp"
#include "check/property/generate_from_schema.hpp"

namespace tenon::check {
namespace {

constexpr int max_guesses = 20;

}  // namespace

std::optional<json::value> conforming(const KnownSchema& schema, Choices& choices) {
    for (int i = 0; i < max_guesses; ++i) {
        auto guess = from_schema(schema.text, choices);
        if (schema.compiled.accepts(guess)) return guess;
    }
    return std::nullopt;
}

std::optional<BrokenArguments> breaking(const KnownSchema& schema, Choices& choices) {
    const auto good = conforming(schema, choices);
    if (!good) return std::nullopt;
    auto candidates = breaks_of(schema.text, *good);
    while (!candidates.empty()) {
        const auto i = choices.below(static_cast<std::uint32_t>(candidates.size()));
        auto broken = std::move(candidates[i]);
        candidates.erase(candidates.begin() + i);
        const auto violations = schema.compiled.check(broken, 2, "arguments");
        if (violations.size() == 1)
            return BrokenArguments{std::move(broken), violations.front().keyword, violations.front().message};
    }
    return std::nullopt;
}

}  // namespace tenon::check
