// Shared by the fuzz targets: declares a target, reads and splits its input, and bounds its cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fuzz {

/// The most that one input may cost: a base, and an amount for each byte of the input. A higher cost ends the run like
/// a crash.
struct Budget {
    std::size_t base_bytes = 256 * 1024, bytes = 2'000;      ///< bytes of memory that are allocated
    std::size_t base_allocations = 4'000, allocations = 40;  ///< number of allocations
    std::size_t base_work = 1'000'000, work = 20'000;        ///< basic blocks that run; counted with libFuzzer only
};

/// One fuzz target. The constructor registers it. Each file defines one, with the name of the file.
struct Target {
    using Run = void (*)(std::string_view input);
    Target(std::string_view target_name, Run target_run, Budget target_budget = {});

    std::string_view name;
    Run run;
    Budget budget;
};

const Target* find_target(std::string_view name);
/// Runs the target and aborts when the input costs more than the budget allows.
void run_within_budget(const Target& target, std::string_view input);
/// Prints the highest costs so far. This helps to choose a budget: fuzz_replay does it when FUZZ_COSTS is set.
void print_costs(const Target& target);

/// Prints the claim and aborts unless it holds.
void must(bool holds, const char* claim);

/// Returns whether every byte of the text is at least `lowest` and at most `highest`.
bool all_between(std::string_view text, unsigned char lowest, unsigned char highest);

/// Stops counting costs while it exists. For work of the harness itself.
class Uncounted {
 public:
    Uncounted();
    ~Uncounted();
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;

 private:
    std::size_t bytes_, allocations_, work_;
};

/// Reads the input from front to back.
class Feed {
 public:
    explicit Feed(std::string_view input) : rest_(input) {}

    bool empty() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }
    std::uint8_t byte();
    std::string_view take(std::size_t count);
    /// Takes the text before the next `end`, and the `end`. Takes everything when there is no `end`.
    std::string_view until(char end);

 private:
    std::string_view rest_;
};

/// The pieces of a text. Each has memory of its own, so the address sanitizer sees every read beyond its end.
using Pieces = std::vector<std::vector<char>>;
Pieces whole(std::string_view text);
Pieces single_bytes(std::string_view text);
Pieces halves(std::string_view text, std::size_t at);
/// Splits the text. The bytes of the pattern are the lengths of the pieces; the pattern repeats.
Pieces cut(std::string_view text, std::string_view pattern);
inline std::string_view view(const std::vector<char>& piece) { return {piece.data(), piece.size()}; }

constexpr std::size_t longest_for_all_halves = 48;

/// Checks that `read(pieces)` returns the same for every way to split the text: whole, byte by byte, by the pattern,
/// and, if the text is short, in two at every place.
template <class Read>
void same_however_cut(std::string_view text, std::string_view pattern, const Read& read) {
    const auto expected = read(whole(text));
    must(read(single_bytes(text)) == expected, "one byte at a time reads the same as the whole");
    must(read(cut(text, pattern)) == expected, "pieces read the same as the whole");
    if (text.size() > longest_for_all_halves) return;
    const Uncounted pause;
    for (std::size_t at = 1; at < text.size(); ++at)
        must(read(halves(text, at)) == expected, "two halves read the same as the whole");
}

}  // namespace tenon::fuzz
