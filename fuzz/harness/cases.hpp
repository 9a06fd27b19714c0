// Generates inputs that are almost right. The same seed gives the same inputs on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fuzz {

/// Generates texts of two kinds: random sequences of words, and good texts with small changes.
class Cases {
 public:
    Cases(std::uint64_t seed, std::vector<std::string> good, std::vector<std::string> words)
        : random_(seed), good_(std::move(good)), words_(std::move(words)) {}

    /// Returns a number below `end`, which must not be 0. The distributions of the standard library are not used,
    /// because they differ between machines.
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }
    bool one_in(std::size_t n) { return below(n) == 0; }
    const std::string& word() { return words_[below(words_.size())]; }

    std::string next() { return one_in(3) ? sentence() : changed(good_[below(good_.size())]); }

 private:
    std::string sentence();
    std::string changed(std::string text);
    void change(std::string& text);

    std::mt19937_64 random_;
    std::vector<std::string> good_, words_;
};

}  // namespace tenon::fuzz
