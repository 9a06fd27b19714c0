#include "support.hpp"

#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace tenon::fuzz {
namespace {

struct Costs {
    std::size_t bytes = 0, allocations = 0, work = 0;
};
Costs now, highest;

std::vector<const Target*>& targets() {
    static std::vector<const Target*> all;
    return all;
}

void count_allocation(const volatile void*, std::size_t size) {
    now.bytes += size;
    ++now.allocations;
}
void ignore_free(const volatile void*) {}

void limit(const Target& target, const char* what, std::size_t cost, std::size_t allowed, std::size_t size) {
    if (cost <= allowed) return;
    std::fprintf(stderr, "fuzz: %.*s costs %zu %s for an input of %zu bytes; its budget is %zu\n",
                 static_cast<int>(target.name.size()), target.name.data(), cost, what, size, allowed);
    std::abort();
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
    must(hooked != 0, "the sanitizer lets allocations be counted");
    static const Target* const warm = (target.run({}), &target);  // what is built once is nobody's cost
    must(warm == &target, "one process runs one target");

    now = {};
    target.run(input);
    const Costs cost = now;
    const Budget& b = target.budget;
    limit(target, "bytes of memory", cost.bytes, b.base_bytes + b.bytes * input.size(), input.size());
    limit(target, "allocations", cost.allocations, b.base_allocations + b.allocations * input.size(), input.size());
    limit(target, "basic blocks", cost.work, b.base_work + b.work * input.size(), input.size());
    highest = {std::max(highest.bytes, cost.bytes), std::max(highest.allocations, cost.allocations),
               std::max(highest.work, cost.work)};
}

void print_costs(const Target& target) {
    std::printf("%.*s: at most %zu bytes, %zu allocations, %zu basic blocks for one input\n",
                static_cast<int>(target.name.size()), target.name.data(), highest.bytes, highest.allocations,
                highest.work);
}

void must(bool holds, const char* claim) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: this does not hold: %s\n", claim);
    std::abort();
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
    Pieces out;
    for (std::size_t i = 0; !text.empty(); ++i) {
        const auto length = pattern.empty() ? 0 : static_cast<unsigned char>(pattern[i % pattern.size()]);
        const auto piece = text.substr(0, std::max<std::size_t>(length, 1));
        out.emplace_back(piece.begin(), piece.end());
        text.remove_prefix(piece.size());
    }
    return out;
}

}  // namespace tenon::fuzz

#if defined(__clang__)
// Counts the basic blocks that run. libFuzzer has functions of these names that refuse to work, so the linker is told
// to take these instead (--wrap).
#define TENON_UNINSTRUMENTED __attribute__((no_sanitize("coverage")))
extern "C" TENON_UNINSTRUMENTED void __wrap___sanitizer_cov_trace_pc_guard(std::uint32_t*) { ++tenon::fuzz::now.work; }
extern "C" TENON_UNINSTRUMENTED void __wrap___sanitizer_cov_trace_pc_guard_init(std::uint32_t*, std::uint32_t*) {}
#endif
