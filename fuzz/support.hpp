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

/// A copy of a text in pieces. The address sanitizer sees every read beyond the beginning or the end of a piece. It
/// also sees every read of a piece after its turn: a parser must not keep references to earlier input.
class Pieces {
 public:
    /// Splits the text. `lengths` are the lengths of the pieces, in turn; 0 counts as 1. An empty text is one piece.
    Pieces(std::string_view text, const std::vector<std::size_t>& lengths);
    ~Pieces();
    Pieces(const Pieces&) = delete;
    Pieces& operator=(const Pieces&) = delete;

    class Iterator {
     public:
        explicit Iterator(const std::string_view* at) : at_(at) {}
        std::string_view operator*() const { return *at_; }
        Iterator& operator++();
        bool operator==(const Iterator&) const = default;

     private:
        const std::string_view* at_;
    };
    Iterator begin() const { return Iterator(pieces_.data()); }
    Iterator end() const { return Iterator(pieces_.data() + pieces_.size()); }

 private:
    std::vector<char> memory_;
    std::vector<std::string_view> pieces_;
};
Pieces whole(std::string_view text);
Pieces single_bytes(std::string_view text);
Pieces halves(std::string_view text, std::size_t at);
/// Splits the text. The bytes of the pattern are the lengths of the pieces.
Pieces cut(std::string_view text, std::string_view pattern);

/// Returns the places where same_however_cut() splits the text in two. These are all places, except while libFuzzer
/// runs and the text is long: then the pattern chooses two places, because libFuzzer tries many patterns.
std::vector<std::size_t> places_to_split(std::string_view text, std::string_view pattern);
/// Makes places_to_split() return all places of texts up to this length.
void split_everywhere_up_to(std::size_t length);

/// Checks that `read(pieces)` returns the same for every way to split the text: whole, byte by byte, by the pattern,
/// and in two.
template <class Read>
void same_however_cut(std::string_view text, std::string_view pattern, const Read& read) {
    const auto expected = read(whole(text));
    must(read(single_bytes(text)) == expected, "one byte at a time reads the same as the whole");
    must(read(cut(text, pattern)) == expected, "pieces read the same as the whole");
    const Uncounted pause;
    for (const std::size_t at : places_to_split(text, pattern))
        must(read(halves(text, at)) == expected, "two halves read the same as the whole");
}

}  // namespace tenon::fuzz
