// Writer: Tenon's only JSON encoder. It writes every message that Tenon sends.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)

namespace tenon::json {

/// The name of a member. For a string literal, the compiler checks whether the name needs escapes.
class Key {
 public:
    template <std::size_t N>
    consteval Key(const char (&literal)[N])  // NOLINT: a literal is a key
        : text_(literal, N - 1), plain_(true) {
        for (const char c : text_) plain_ = plain_ && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
    }
    template <class Text>
    requires std::convertible_to<const Text&, std::string_view> &&(!std::is_array_v<Text>)Key(const Text& text)
        : text_(text) {}  // NOLINT: any text is a key

    std::string_view text() const { return text_; }
    bool plain() const { return plain_; }

 private:
    std::string_view text_;
    bool plain_ = false;
};

/// Appends JSON to a string and places the commas. For every input, the output is valid UTF-8 without raw control
/// characters, so it always fits on one line. Not thread-safe. Keeps a reference to the string, which must outlive the
/// Writer.
class Writer {
 public:
    explicit Writer(std::string& out) : out_(out) {}
    /// Removes the closing brace of a finished object. Add more members, then call end_object().
    static Writer reopen(std::string& object) {
        object.pop_back();
        Writer w(object);
        w.comma_ = object.back() != '{';
        return w;
    }

    /// From now on, replaces the control characters of texts and names by visible symbols, so that they cannot act on a
    /// terminal: U+2400 and following for ASCII, U+FFFD for U+0080 to U+009F. Tab, newline and CR LF stay. Off by
    /// default.
    void neutralise(bool on = true) { neutral_ = on; }

    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
    void key(Key name);

    void null();
    void boolean(bool b);
    void number(std::int64_t n);
    void number(std::uint64_t n);
    void number(double d);
    void string(std::string_view s);
    void value(const json::value& v);
    void value(const json::object& o);
    void value(const json::array& a);
    /// Appends JSON that another Writer made.
    void raw(std::string_view json);
    /// Appends the members of an object that another Writer made, without its braces.
    void members(std::string_view object);

    void field(Key name, std::string_view s) { key(name), string(s); }
    void field(Key name, const char* s) { key(name), string(s); }
    void field(Key name, const json::value& v) { key(name), value(v); }
    void field(Key name, const json::object& o) { key(name), value(o); }
    void field(Key name, std::same_as<bool> auto b) { key(name), boolean(b); }
    void field(Key name, std::floating_point auto d) { key(name), number(static_cast<double>(d)); }
    void field(Key name, std::signed_integral auto n) { key(name), number(static_cast<std::int64_t>(n)); }
    template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>) void field(Key name, T n) { key(name), number(static_cast<std::uint64_t>(n)); }

 private:
    void separate() {
        if (comma_) out_ += ',';
        comma_ = true;
    }
    void open(char c) {
        separate();
        out_ += c;
        comma_ = false;
    }
    void close(char c) {
        out_ += c;
        comma_ = true;
    }

    std::string& out_;
    bool neutral_ = false;
    bool comma_ = false;  // whether the next value on this level needs a comma before it
};

}  // namespace tenon::json

#pragma GCC visibility pop
