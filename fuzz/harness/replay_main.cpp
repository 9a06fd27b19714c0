// Runs a fuzz target without libFuzzer: over the files of a corpus, over their beginnings, and over changed copies. The
// same seed gives the same inputs.
//
// usage: fuzz_replay TARGET FOLDER|FILE...
//
// Environment: FUZZ_CHANGES, the number of changed copies; FUZZ_SEED; FUZZ_COSTS, prints the highest costs.
#include <sanitizer/common_interface_defs.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/cases.hpp"
#include "support.hpp"

namespace {

namespace fs = std::filesystem;
using tenon::fuzz::Target;

constexpr std::size_t most_beginnings = 128;  // that are tried of one file

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string_view current;  // the input of this run

// Prints the input that failed in the syntax of printf(1). A changed copy is not in a file.
void print_current() {
    std::fprintf(stderr, "fuzz: the input, for printf(1):\n");
    for (const char c : current) std::fprintf(stderr, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    std::fprintf(stderr, "\n");
}

void run(const Target& target, std::string_view input) {
    current = input;
    tenon::fuzz::run_within_budget(target, input);
}

std::size_t replay(const Target& target, const std::string& text) {
    const std::size_t step = 1 + text.size() / most_beginnings;
    std::size_t runs = 1;
    for (std::size_t size = 0; size < text.size(); size += step, ++runs)
        run(target, std::string_view(text).substr(0, size));
    run(target, text);
    return runs;
}

std::vector<fs::path> files_in(const fs::path& place) {
    if (!fs::is_directory(place)) return {place};
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(place)) out.push_back(entry.path());
    std::ranges::sort(out);  // makes a seed mean the same everywhere
    return out;
}

std::size_t number_in(const char* variable, std::size_t otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::size_t replay_changed(const Target& target, std::vector<std::string> good) {
    tenon::fuzz::Cases cases(
        number_in("FUZZ_SEED", 1), std::move(good),
        {"0",    "1",   "-",       "9999999999", ".",    ",", ":", ";",    "=",    "&",
         "%",    "%2F", "/",       "..",         "?",    "#", "@", "{",    "}",    "[",
         "]",    "\"",  "\\",      "\n",         "\r\n", " ", "é", "null", "true", std::string(1, '\0'),
         "\xFF", "a",   "\\u0000", "(",          ")",    "*", "+", "|"});
    const std::size_t count = number_in("FUZZ_CHANGES", 1000);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string input = cases.next();
        run(target, input);
    }
    return count;
}

}  // namespace

int main(int count, char** words) {
    const Target* target = count > 2 ? tenon::fuzz::find_target(words[1]) : nullptr;
    if (target == nullptr) {
        std::fprintf(stderr, "usage: fuzz_replay TARGET FOLDER|FILE...\n");
        return 2;
    }
    __sanitizer_set_death_callback(print_current);
    std::signal(SIGABRT, [](int) { print_current(); });
    std::size_t runs = 0;
    std::vector<std::string> texts;
    for (int i = 2; i < count; ++i)
        for (const fs::path& file : files_in(words[i])) {
            texts.push_back(content(file));
            std::printf("%s (%zu bytes)\n", file.c_str(), texts.back().size());
            std::fflush(stdout);
            runs += replay(*target, texts.back());
        }
    if (texts.empty()) return 1;  // the corpus is missing
    runs += replay_changed(*target, texts);
    std::printf("%zu inputs\n", runs);
    if (std::getenv("FUZZ_COSTS") != nullptr) tenon::fuzz::print_costs(*target);
    return 0;
}
