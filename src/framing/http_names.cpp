#include "framing/http_names.hpp"

#include <cstdint>
#include <cstring>

namespace tenon::framing {
namespace {

constexpr std::size_t slots = 64;

// A perfect hash: if two known names had the same slot, this would not compile.
constexpr std::size_t slot_of(std::size_t size, char first) {
    return (size + 9 * static_cast<std::size_t>(first | 0x20)) % slots;
}
constexpr auto table = [] {
    std::array<std::size_t, slots> out = {};
    for (std::size_t i = 1; i < HttpName::known.size(); ++i) {
        std::size_t& slot = out[slot_of(HttpName::known[i].size(), HttpName::known[i].front())];
        if (slot != 0) throw "two names in one slot";
        slot = i;
    }
    return out;
}();

// Compares one word. Ignores the lower-case bit wherever the known name has a letter.
template <class Word>
bool same_word(const char* name, const char* known) {
    Word a = 0, b = 0;
    std::memcpy(&a, name, sizeof a);
    std::memcpy(&b, known, sizeof b);
    constexpr Word letter_bits = static_cast<Word>(0x4040404040404040);
    return ((a ^ b) & ~((b & letter_bits) >> 1)) == 0;
}

// Compares word by word. The last word may overlap the one before it.
template <class Word>
bool same_words(const char* name, const char* known, std::size_t size) {
    for (std::size_t i = 0; i + sizeof(Word) < size; i += sizeof(Word))
        if (!same_word<Word>(name + i, known + i)) return false;
    return same_word<Word>(name + size - sizeof(Word), known + size - sizeof(Word));
}

}  // namespace

std::size_t HttpName::number_of(std::string_view name) noexcept {
    if (name.empty()) return 0;
    const std::size_t candidate = table[slot_of(name.size(), name.front())];
    const std::string_view text = known[candidate];
    if (text.size() != name.size()) return 0;
    const bool same = text.size() < sizeof(std::uint64_t)
                          ? same_words<std::uint32_t>(name.data(), text.data(), text.size())
                          : same_words<std::uint64_t>(name.data(), text.data(), text.size());
    return same ? candidate : 0;
}

}  // namespace tenon::framing
