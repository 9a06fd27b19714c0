// Cases for the differential tests: texts that are almost right, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::differential {

/// Texts made of words that belong together, and of good texts with small changes.
class Cases {
 public:
    Cases(std::uint64_t seed, std::vector<std::string> good, std::vector<std::string> words)
        : random_(seed), good_(std::move(good)), words_(std::move(words)) {}

    /// Below `end`, which is not 0. Not a distribution of the standard library: they differ between machines.
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

/// Writes one case to standard output: each part as a length (four bytes, the lowest first) and its bytes.
void write_case(std::initializer_list<std::string_view> parts);

// One a subject. Each writes `count` cases: what goes in, and what Tenon makes of it ("-" and a reason: it refuses).
void json_cases(std::uint64_t seed, std::size_t count);
void url_cases(std::uint64_t seed, std::size_t count);
void regex_cases(std::uint64_t seed, std::size_t count);
void http_cases(std::uint64_t seed, std::size_t count);
void schema_cases(std::uint64_t seed, std::size_t count);
void jws_cases(std::uint64_t seed, std::size_t count);

}  // namespace tenon::differential
