// A JSON parser based on Boost.JSON, as Tenon once used it. Tenon's own parser is compared with it.
#pragma once

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>

#include <tenon/json.hpp>

namespace tenon::json::reference {

namespace bj = boost::json;
using boost::system::error_code;

// Builds the value and counts its keys. When the finished value has fewer members, a key was repeated.
class Handler {
 public:
    static constexpr std::size_t max_object_size = bj::object::max_size();
    static constexpr std::size_t max_array_size = bj::array::max_size();
    static constexpr std::size_t max_key_size = bj::string::max_size();
    static constexpr std::size_t max_string_size = bj::string::max_size();

    void reset(storage_ptr storage) {
        stack_.reset(std::move(storage));
        keys_ = 0;
    }
    value release() { return stack_.release(); }
    std::size_t keys() const { return keys_; }

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_object_begin(error_code&) { return true; }
    bool on_object_end(std::size_t n, error_code&) { return stack_.push_object(n), true; }
    bool on_array_begin(error_code&) { return true; }
    bool on_array_end(std::size_t n, error_code&) { return stack_.push_array(n), true; }
    bool on_key_part(std::string_view s, std::size_t, error_code&) { return stack_.push_chars(s), true; }
    bool on_key(std::string_view s, std::size_t, error_code&) { return ++keys_, stack_.push_key(s), true; }
    bool on_string_part(std::string_view s, std::size_t, error_code&) { return stack_.push_chars(s), true; }
    bool on_string(std::string_view s, std::size_t, error_code&) { return stack_.push_string(s), true; }
    bool on_number_part(std::string_view, error_code&) { return true; }
    bool on_int64(std::int64_t i, std::string_view, error_code&) { return stack_.push_int64(i), true; }
    bool on_uint64(std::uint64_t u, std::string_view, error_code&) { return stack_.push_uint64(u), true; }
    // Boost 1.81 rounds imprecisely: one in four random doubles comes back as its neighbour. The text is parsed in one
    // piece, so `digits` is the whole number. A number out of range keeps Boost's value.
    bool on_double(double d, std::string_view digits, error_code&) {
        std::from_chars(digits.data(), digits.data() + digits.size(), d);
        return stack_.push_double(d), true;
    }
    bool on_bool(bool b, error_code&) { return stack_.push_bool(b), true; }
    bool on_null(error_code&) { return stack_.push_null(), true; }
    bool on_comment_part(std::string_view, error_code&) { return true; }
    bool on_comment(std::string_view, error_code&) { return true; }

 private:
    bj::value_stack stack_;
    std::size_t keys_ = 0;
};

// The recursion is as deep as the value, and the parser has limited its depth.
inline std::size_t count_members(const value& v) {
    std::size_t n = 0;
    if (const auto* o = v.if_object()) {
        n = o->size();
        for (const auto& member : *o) n += count_members(member.value());
    } else if (const auto* a = v.if_array()) {
        for (const auto& element : *a) n += count_members(element);
    }
    return n;
}

inline Error parse_error(std::string what) { return {code::parse_error, "Parse error: " + std::move(what)}; }

inline Error describe(const error_code& ec, std::size_t at, ParseLimits limits) {
    if (ec == bj::error::too_deep)
        return parse_error("nested deeper than the limit of " + std::to_string(limits.max_depth) + " levels");
    if (ec == bj::error::incomplete) return parse_error("the message ends in the middle of a JSON value");
    return parse_error(ec.message() + " at byte " + std::to_string(at));
}

inline Result<value> parse(std::string_view text, ParseLimits limits = {}) {
    bj::parse_options options;
    options.max_depth = limits.max_depth;
    bj::basic_parser<Handler> parser(options);
    parser.handler().reset({});

    error_code ec;
    const std::size_t used = parser.write_some(false, text.data(), text.size(), ec);
    if (!ec && used < text.size()) ec = bj::error::extra_data;
    if (!ec && !parser.done()) ec = bj::error::incomplete;
    if (ec) return describe(ec, used, limits);
    value v = parser.handler().release();
    if (parser.handler().keys() != count_members(v)) return parse_error("an object has the same key twice");
    return v;
}

}  // namespace tenon::json::reference
