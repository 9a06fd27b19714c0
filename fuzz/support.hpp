// What the fuzz targets share: how a target is declared, how its input is taken apart and cut, and what it may cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fuzz {

/// What one input may cost: a base, and so much for each of its bytes. More than that ends the run like a crash.
struct Budget {
    std::size_t base_bytes = 256 * 1024, bytes = 2'000;      ///< of memory, counted each time it is allocated
    std::size_t base_allocations = 4'000, allocations = 40;  ///< calls of malloc
    std::size_t base_work = 1'000'000, work = 20'000;        ///< basic blocks; counted in the tree of libFuzzer only
};

/// A fuzz target registers itself by being defined: one for each file, with the name of the file.
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
/// Prints the highest costs so far, for setting budgets. Set FUZZ_COSTS=1 to have replays do it.
void print_costs(const Target& target);

/// Aborts when the claim does not hold, and says which one.
void must(bool holds, const char* claim);

/// While it lives, nothing is counted: for what the harness itself does.
class Uncounted {
 public:
    Uncounted();
    ~Uncounted();
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;

 private:
    std::size_t bytes_, allocations_, work_;
};

/// The input, taken apart from its front.
class Feed {
 public:
    explicit Feed(std::string_view input) : rest_(input) {}

    bool empty() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }
    std::uint8_t byte();
    std::string_view take(std::size_t count);
    /// What comes before the next `end`, which is taken too; all of it when there is none.
    std::string_view until(char end);

 private:
    std::string_view rest_;
};

/// Pieces of a text, each in memory of its own, so that the address sanitizer sees every read beyond them.
using Pieces = std::vector<std::vector<char>>;
Pieces whole(std::string_view text);
Pieces single_bytes(std::string_view text);
Pieces halves(std::string_view text, std::size_t at);
/// The lengths of the pieces are the bytes of the pattern, over and over.
Pieces cut(std::string_view text, std::string_view pattern);
inline std::string_view view(const std::vector<char>& piece) { return {piece.data(), piece.size()}; }

constexpr std::size_t longest_for_all_halves = 48;

/// `read(pieces)` must give the same however the text is cut: whole, byte by byte, by the pattern, and, when the text
/// is short, in two at every place.
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
