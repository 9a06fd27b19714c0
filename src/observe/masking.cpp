#include "observe/masking.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/printable.hpp"

namespace tenon::observe {
namespace {

constexpr std::string_view mask = "***";
constexpr std::string_view after_value = " \t\r\n\"'<>`&#";
constexpr std::string_view after_authority = " \t\r\n\"'<>`/?#";

bool same_letters(std::string_view a, std::string_view lower) {
    const auto same = [](char x, char y) { return x == y || (base::is_alpha(x) && (x | 0x20) == y); };
    return std::ranges::equal(a, lower, same);
}

bool contains_letters(std::string_view text, std::string_view lower) {
    for (std::size_t at = 0; at + lower.size() <= text.size(); ++at)
        if (same_letters(text.substr(at, lower.size()), lower)) return true;
    return false;
}

/// Copies a text and masks what it recognises. Looks at each byte a fixed number of times.
class Masker {
 public:
    explicit Masker(std::string_view text) : rest_(text) {}

    std::string run() && {
        out_.reserve(rest_.size());
        while (!rest_.empty()) {
            if (rest_.starts_with("://")) {
                user();
            } else if (rest_[0] == '?' || rest_[0] == '&' || rest_[0] == '#') {
                parameter();
            } else if (!scheme()) {
                copy(1);
            }
        }
        return std::move(out_);
    }

 private:
    void copy(std::size_t n) {
        n = std::min(n, rest_.size());
        out_ += rest_.substr(0, n);
        rest_.remove_prefix(n);
    }
    void hide(std::size_t n) {
        out_ += mask;
        rest_.remove_prefix(std::min(n, rest_.size()));
    }
    // ://user:password@host
    void user() {
        copy(3);
        const std::string_view authority = rest_.substr(0, rest_.find_first_of(after_authority));
        if (const auto at = authority.rfind('@'); at != std::string_view::npos) hide(at);
    }
    // ?name=value
    void parameter() {
        copy(1);
        const std::size_t end = rest_.find_first_of(" \t\r\n\"'<>`&#?=");
        if (end == std::string_view::npos || rest_[end] != '=' || end == 0) return;
        copy(end + 1);
        hide(rest_.find_first_of(after_value));
    }
    // Bearer TOKEN
    bool scheme() {
        static constexpr std::array<std::string_view, 3> schemes = {"bearer ", "basic ", "dpop "};
        const char first = static_cast<char>(rest_[0] | 0x20);
        if ((first != 'b' && first != 'd') || (!out_.empty() && base::is_alnum(out_.back()))) return false;
        for (const std::string_view scheme : schemes) {
            if (!same_letters(rest_.substr(0, scheme.size()), scheme)) continue;
            copy(scheme.size());
            hide(rest_.find_first_of(" \t\r\n\"'<>`,"));
            return true;
        }
        return false;
    }

    std::string_view rest_;
    std::string out_;
};

}  // namespace

std::string masked(std::string_view text) {
    const bool plain = text.find_first_of("?&#: ") == std::string_view::npos;  // as most names are
    return plain ? std::string(text) : Masker(text).run();
}

bool is_safe(std::string_view text) {
    // Without these characters there is nothing to mask or to escape.
    static constexpr auto safe = [] {
        std::array<bool, 256> out{};
        for (std::size_t c = 0x21; c < 0x7f; ++c) out[c] = c != '?' && c != '&' && c != '#' && c != ':';
        return out;
    }();
    return text.size() <= max_text &&
           std::ranges::all_of(text, [](char c) { return safe[static_cast<unsigned char>(c)]; });
}

std::string safe_text(std::string_view text) {
    // Masks before it cuts, so that a cut cannot separate a credential from the name that shows what it is.
    return base::printable(masked(text.substr(0, 4 * max_text)), max_text);
}

bool names_a_secret(std::string_view name) {
    static constexpr std::array<std::string_view, 8> words = {"password", "passwd",     "secret",        "token",
                                                              "key",      "credential", "authorization", "cookie"};
    return std::ranges::any_of(words, [&](std::string_view word) { return contains_letters(name, word); });
}

}  // namespace tenon::observe
