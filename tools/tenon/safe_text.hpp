// SafeText: the only text that reaches a terminal. A server's text becomes SafeText only through safe_text().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::program {

/// A string literal of this program. The compiler checks that it has no control characters except newlines and tabs.
class Literal {
 public:
    template <std::size_t N>
    consteval Literal(const char (&text)[N]) : text_(text, N - 1) {  // NOLINT: literals are meant to convert
        for (const char c : text_)
            if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
                throw "a literal has no control characters";
    }
    constexpr std::string_view view() const { return text_; }

 private:
    std::string_view text_;
};

/// UTF-8 text without control and invisible characters, except newlines and tabs.
class SafeText {
 public:
    SafeText() = default;
    SafeText(Literal text) : text_(text.view()) {}  // NOLINT: literals are meant to convert

    std::string_view view() const { return text_; }
    bool empty() const { return text_.empty(); }
    std::size_t size() const { return text_.size(); }
    /// Returns the width on a terminal. The text must be one line.
    std::size_t width() const;
    /// Returns the bytes from `at`. An end inside a character moves back to the beginning of the character.
    SafeText slice(std::size_t at, std::size_t bytes = std::string::npos) const;

    SafeText& operator+=(const SafeText& more);
    SafeText& operator+=(Literal more) { return *this += SafeText(more); }
    friend SafeText operator+(SafeText a, const SafeText& b) { return a += b; }
    friend SafeText operator+(SafeText a, Literal b) { return a += b; }
    friend SafeText operator+(Literal a, const SafeText& b) { return SafeText(a) += b; }
    friend bool operator==(const SafeText&, const SafeText&) = default;

 private:
    struct Checked {
        std::string text;
    };
    explicit SafeText(Checked checked) : text_(std::move(checked.text)) {}
    friend SafeText safe_text(std::string_view);
    friend SafeText safe_line(std::string_view);
    friend SafeText safe_json(std::string_view);
    friend SafeText spaces(std::size_t);
    friend SafeText repeated(Literal, std::size_t);
    friend SafeText number(std::int64_t);

    std::string text_;
};

/// Escapes control and invisible characters as <U+001B>, and invalid UTF-8 as <FF>. CR LF becomes LF.
SafeText safe_text(std::string_view bytes);
/// The same on one line: runs of white space become one space.
SafeText safe_line(std::string_view bytes);
/// Escapes the same characters inside JSON as \u001b, which does not change its meaning.
SafeText safe_json(std::string_view json);

SafeText spaces(std::size_t n);
SafeText repeated(Literal text, std::size_t times);
SafeText number(std::int64_t n);

}  // namespace tenon::program
