#include "schema/equal.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "schema/numbers.hpp"

namespace tenon::schema {
namespace {

using json::kind;

bool arrays_equal(const json::array& a, const json::array& b, Budget& budget, std::size_t depth) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!equal(a[i], b[i], budget, depth - 1)) return false;
    return true;
}

bool objects_equal(const json::object& a, const json::object& b, Budget& budget, std::size_t depth) {
    if (a.size() != b.size()) return false;
    for (const auto& member : a) {
        if (!budget.spend(member.key().size() / 16)) return false;
        const auto* other = b.if_contains(member.key());
        if (!other || !equal(member.value(), *other, budget, depth - 1)) return false;
    }
    return true;
}

bool strings_equal(std::string_view a, std::string_view b, Budget& budget) {
    return a.size() == b.size() && budget.spend(a.size() / 16) && a == b;
}

constexpr std::uint64_t mix(std::uint64_t h) {
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15ULL;
    h ^= h >> 29;
    return h;
}

std::uint64_t hash_text(std::string_view s) {
    std::uint64_t h = s.size();
    for (; s.size() >= 8; s.remove_prefix(8)) {
        std::uint64_t word;
        std::memcpy(&word, s.data(), 8);
        h = mix(h ^ word);
    }
    std::uint64_t word = 0;
    if (!s.empty()) std::memcpy(&word, s.data(), s.size());
    return mix(h ^ word);
}

// Equal numbers become equal doubles, also when their types differ. Different numbers may become equal doubles too.
double as_double(const json::value& v) {
    switch (v.kind()) {
        case kind::int64: return static_cast<double>(v.get_int64());
        case kind::uint64: return static_cast<double>(v.get_uint64());
        default: return v.get_double();
    }
}

std::uint64_t hash_number(const json::value& v) {
    const double d = as_double(v) + 0.0;  // -0.0 becomes 0.0
    std::uint64_t word;
    std::memcpy(&word, &d, sizeof word);
    return mix(word ^ 0x6E);
}

std::uint64_t hash(const json::value& v, Budget& budget, std::size_t depth) {
    if (depth == 0) budget.exhaust();
    if (!budget.spend(1)) return 0;
    std::uint64_t h = 0;
    switch (v.kind()) {
        case kind::null: return 0x11;
        case kind::bool_: return v.get_bool() ? 0x23 : 0x35;
        case kind::string: budget.spend(v.get_string().size() / 16); return hash_text(v.get_string());
        case kind::array:
            for (const auto& element : v.get_array()) h = mix(h + 0x57 + hash(element, budget, depth - 1));
            return h;
        case kind::object:
            for (const auto& member : v.get_object()) {
                budget.spend(member.key().size() / 16);
                h += mix(hash_text(member.key()) ^ (hash(member.value(), budget, depth - 1) + 0x79));
            }
            return mix(h);
        default: return hash_number(v);
    }
}

struct Hashed {
    std::uint64_t hash;
    const json::value* value;
};

bool sorted_all_different(std::span<Hashed> hashed, Budget& budget, std::size_t depth) {
    std::sort(hashed.begin(), hashed.end(), [](const Hashed& a, const Hashed& b) { return a.hash < b.hash; });
    for (std::size_t i = 0; i < hashed.size(); ++i)
        for (std::size_t j = i + 1; j < hashed.size() && hashed[j].hash == hashed[i].hash; ++j)
            if (equal(*hashed[i].value, *hashed[j].value, budget, depth) || budget.spent()) return false;
    return true;
}

bool hash_and_sort(std::span<Hashed> scratch, const json::array& elements, Budget& budget, std::size_t depth) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
        scratch[i] = {hash(elements[i], budget, depth), &elements[i]};
        if (budget.spent()) return false;
    }
    return sorted_all_different(scratch, budget, depth);
}

bool pairwise_different(const json::array& elements, Budget& budget, std::size_t depth) {
    for (std::size_t i = 1; i < elements.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (equal(elements[i], elements[j], budget, depth) || budget.spent()) return false;
    return true;
}

}  // namespace

bool equal(const json::value& a, const json::value& b, Budget& budget, std::size_t depth) {
    if (depth == 0) budget.exhaust();
    if (!budget.spend(1)) return false;
    if (is_number(a)) return is_number(b) && compare_numbers(a, b) == 0;
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
        case kind::bool_: return a.get_bool() == b.get_bool();
        case kind::string: return strings_equal(a.get_string(), b.get_string(), budget);
        case kind::array: return arrays_equal(a.get_array(), b.get_array(), budget, depth);
        case kind::object: return objects_equal(a.get_object(), b.get_object(), budget, depth);
        default: return true;
    }
}

bool all_different(const json::array& elements, Budget& budget, std::size_t depth) {
    constexpr std::size_t few = 8, inline_capacity = 256;
    if (elements.size() <= few) return pairwise_different(elements, budget, depth);
    if (!budget.spend(elements.size())) return false;
    if (elements.size() <= inline_capacity) {
        std::array<Hashed, inline_capacity> scratch;
        return hash_and_sort(std::span(scratch).first(elements.size()), elements, budget, depth);
    }
    std::vector<Hashed> scratch(elements.size());
    return hash_and_sort(scratch, elements, budget, depth);
}

}  // namespace tenon::schema
