#include "support.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

// The runtime of the address sanitizer has this function. g++ 12 comes without the header that declares it.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void*, std::size_t),
                                                         void (*freed)(const volatile void*));

namespace tenon::fuzz {
namespace {

struct Costs {
    std::size_t bytes = 0, allocations = 0, work = 0;
};
Costs now, most;

std::vector<const Target*>& targets() {
    static std::vector<const Target*> all;
    return all;
}

void count_allocation(const volatile void*, std::size_t size) {
    now.bytes += size;
    ++now.allocations;
}
void ignore_free(const volatile void*) {}

// The most that an input of this size may cost.
Costs allowed(const Budget& b, std::size_t size) {
    return {b.base_bytes + b.bytes * size, b.base_allocations + b.allocations * size, b.base_work + b.work * size};
}

bool is_within(const Costs& cost, const Costs& limit) {
    return cost.bytes <= limit.bytes && cost.allocations <= limit.allocations && cost.work <= limit.work;
}

Costs run_counted(const Target& target, std::string_view input) {
    now = {};
    target.run(input);
    return now;
}

}  // namespace

Target::Target(std::string_view target_name, Run target_run, Budget target_budget)
    : name(target_name), run(target_run), budget(target_budget) {
    targets().push_back(this);
}

const Target* find_target(std::string_view name) {
    for (const Target* target : targets())
        if (target->name == name) return target;
    return nullptr;
}

void run_within_budget(const Target& target, std::string_view input) {
    static const int hooked = __sanitizer_install_malloc_and_free_hooks(count_allocation, ignore_free);
    must(hooked != 0, "the sanitizer counts allocations");

    const Costs limit = allowed(target.budget, input.size());
    Costs cost = run_counted(target, input);
    if (!is_within(cost, limit)) cost = run_counted(target, input);  // the first run may have built static tables
    most = {std::max(most.bytes, cost.bytes), std::max(most.allocations, cost.allocations),
            std::max(most.work, cost.work)};
    if (is_within(cost, limit)) return;
    std::fprintf(
        stderr,
        "fuzz: %zu input bytes cost %zu bytes of memory (limit %zu), %zu allocations (limit %zu) and %zu basic "
        "blocks (limit %zu)\n",
        input.size(), cost.bytes, limit.bytes, cost.allocations, limit.allocations, cost.work, limit.work);
    std::abort();
}

void print_costs(const Target& target) {
    std::printf("%.*s: at most %zu bytes, %zu allocations, %zu basic blocks for one input\n",
                static_cast<int>(target.name.size()), target.name.data(), most.bytes, most.allocations, most.work);
}

void must(bool holds, const char* claim) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: this does not hold: %s\n", claim);
    std::abort();
}

bool all_between(std::string_view text, unsigned char lowest, unsigned char highest) {
    return std::ranges::all_of(text, [&](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= lowest && byte <= highest;
    });
}

Uncounted::Uncounted() : bytes_(now.bytes), allocations_(now.allocations), work_(now.work) {}
Uncounted::~Uncounted() { now = {bytes_, allocations_, work_}; }

std::uint8_t Feed::byte() {
    const auto one = take(1);
    return one.empty() ? 0 : static_cast<std::uint8_t>(one.front());
}

std::string_view Feed::take(std::size_t count) {
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
}

std::string_view Feed::until(char end) {
    const auto taken = rest_.substr(0, rest_.find(end));
    rest_.remove_prefix(std::min(taken.size() + 1, rest_.size()));
    return taken;
}

Pieces whole(std::string_view text) {
    const Uncounted pause;
    return {std::vector<char>(text.begin(), text.end())};
}
Pieces single_bytes(std::string_view text) { return cut(text, "\1"); }
Pieces halves(std::string_view text, std::size_t at) {
    return {std::vector<char>(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at)),
            std::vector<char>(text.begin() + static_cast<std::ptrdiff_t>(at), text.end())};
}

Pieces cut(std::string_view text, std::string_view pattern) {
    const Uncounted pause;
    if (text.empty()) return whole(text);
    Pieces out;
    for (std::size_t i = 0; !text.empty(); ++i) {
        const std::size_t length = pattern.empty() ? 1 : static_cast<unsigned char>(pattern[i % pattern.size()]);
        const auto piece = text.substr(0, std::max<std::size_t>(length, 1));
        out.emplace_back(piece.begin(), piece.end());
        text.remove_prefix(piece.size());
    }
    return out;
}

}  // namespace tenon::fuzz

#if defined(__clang__)
// Counts the basic blocks that run. The versions of libFuzzer only print an error, so the linker is told to call these
// instead (--wrap).
#define TENON_UNINSTRUMENTED __attribute__((no_sanitize("coverage")))
extern "C" TENON_UNINSTRUMENTED void __wrap___sanitizer_cov_trace_pc_guard(std::uint32_t*) { ++tenon::fuzz::now.work; }
extern "C" TENON_UNINSTRUMENTED void __wrap___sanitizer_cov_trace_pc_guard_init(std::uint32_t*, std::uint32_t*) {}
#endif
