#include "support.hpp"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

// The runtime of the address sanitizer has this function. g++ 12 comes without the header that declares it.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void*, std::size_t),
                                                         void (*freed)(const volatile void*));

// Functions of the address sanitizer. Without it they are null.
extern "C" [[gnu::weak]] void __asan_poison_memory_region(const volatile void* memory, std::size_t size);
extern "C" [[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* memory, std::size_t size);

namespace tenon::fuzz {
namespace {

struct Costs {
    std::size_t bytes = 0, allocations = 0, work = 0;
};
Costs now, most;
constexpr double most_seconds = 2;

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

// Returns the CPU time of this process. Unlike the time of day, it does not grow while the machine is busy with others.
double cpu_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
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
    const double begin = cpu_seconds();
    Costs cost = run_counted(target, input);
    must(cpu_seconds() - begin < most_seconds, "an input takes less than 2 seconds of CPU time");
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

namespace {

constexpr std::size_t shadow_unit = 8;  // the sanitizer knows for each 8 bytes how many of them may be read

// The distance from the beginning of a piece to the next piece. There are at least 8 bytes between them.
std::size_t room_for(std::size_t size) { return (size / shadow_unit + 2) * shadow_unit; }

void forbid(const char* memory, std::size_t size) {
    if (__asan_poison_memory_region != nullptr) __asan_poison_memory_region(memory, size);
}
void permit(const char* memory, std::size_t size) {
    if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(memory, size);
}

std::size_t split_everywhere = 48;

}  // namespace

Pieces::Pieces(std::string_view text, const std::vector<std::size_t>& lengths) {
    const Uncounted pause;
    const auto length = [&](std::size_t i) { return lengths.empty() ? 1 : std::max<std::size_t>(lengths[i], 1); };
    const auto shortest = lengths.empty() ? 1 : std::max<std::size_t>(std::ranges::min(lengths), 1);
    memory_.resize(shadow_unit + text.size() + (text.size() / shortest + 2) * 2 * shadow_unit);
    pieces_.reserve(text.size() / shortest + 1);
    char* place = memory_.data() + shadow_unit;
    for (std::size_t i = 0; !text.empty() || pieces_.empty(); i = (i + 1) % std::max<std::size_t>(lengths.size(), 1)) {
        const auto piece = text.substr(0, length(i));
        std::ranges::copy(piece, place);
        pieces_.emplace_back(place, piece.size());
        text.remove_prefix(piece.size());
        place += room_for(piece.size());
    }
    forbid(memory_.data(), memory_.size());
    for (const auto piece : pieces_) permit(piece.data(), piece.size());
}

Pieces::~Pieces() { permit(memory_.data(), memory_.size()); }

Pieces::Iterator& Pieces::Iterator::operator++() {
    forbid(at_->data(), at_->size());
    ++at_;
    return *this;
}

Pieces whole(std::string_view text) { return {text, {text.size()}}; }
Pieces single_bytes(std::string_view text) { return {text, {1}}; }
Pieces halves(std::string_view text, std::size_t at) { return {text, {at, text.size()}}; }
Pieces cut(std::string_view text, std::string_view pattern) {
    const Uncounted pause;
    std::vector<std::size_t> lengths;
    for (const char c : pattern) lengths.push_back(static_cast<unsigned char>(c));
    return {text, lengths};
}

void split_everywhere_up_to(std::size_t length) { split_everywhere = length; }

std::vector<std::size_t> places_to_split(std::string_view text, std::string_view pattern) {
    const Uncounted pause;
    std::vector<std::size_t> out;
    if (text.size() <= split_everywhere) {
        for (std::size_t at = 1; at < text.size(); ++at) out.push_back(at);
    } else {
        for (const char c : pattern) out.push_back(1 + static_cast<unsigned char>(c) % (text.size() - 1));
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
