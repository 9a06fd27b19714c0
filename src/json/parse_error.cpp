#include "json/parse_error.hpp"

#include <boost/json/basic_parser_impl.hpp>

namespace tenon::json {
namespace {

namespace bj = boost::json;
using boost::system::error_code;

// A handler for Boost's parser that builds no values: only the position and the reason of the error are needed.
struct Nothing {
    static constexpr std::size_t max_object_size = bj::object::max_size();
    static constexpr std::size_t max_array_size = bj::array::max_size();
    static constexpr std::size_t max_key_size = bj::string::max_size();
    static constexpr std::size_t max_string_size = bj::string::max_size();

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_object_begin(error_code&) { return true; }
    bool on_object_end(std::size_t, error_code&) { return true; }
    bool on_array_begin(error_code&) { return true; }
    bool on_array_end(std::size_t, error_code&) { return true; }
    bool on_key_part(std::string_view, std::size_t, error_code&) { return true; }
    bool on_key(std::string_view, std::size_t, error_code&) { return true; }
    bool on_string_part(std::string_view, std::size_t, error_code&) { return true; }
    bool on_string(std::string_view, std::size_t, error_code&) { return true; }
    bool on_number_part(std::string_view, error_code&) { return true; }
    bool on_int64(std::int64_t, std::string_view, error_code&) { return true; }
    bool on_uint64(std::uint64_t, std::string_view, error_code&) { return true; }
    bool on_double(double, std::string_view, error_code&) { return true; }
    bool on_bool(bool, error_code&) { return true; }
    bool on_null(error_code&) { return true; }
    bool on_comment_part(std::string_view, error_code&) { return true; }
    bool on_comment(std::string_view, error_code&) { return true; }
};

}  // namespace

std::string explain_parse_error(std::string_view text, ParseLimits limits, LimitName& limit) {
    bj::parse_options options;
    options.max_depth = limits.max_depth;
    bj::basic_parser<Nothing> parser(options);

    error_code ec;
    const std::size_t used = parser.write_some(false, text.data(), text.size(), ec);
    if (ec == bj::error::too_deep) limit = LimitName::max_depth;
    if (ec == bj::error::too_deep)
        return "nested deeper than the limit of " + std::to_string(limits.max_depth) + " levels";
    if (ec == bj::error::incomplete || (!ec && !parser.done())) return "the message ends in the middle of a JSON value";
    if (!ec) ec = bj::error::extra_data;
    return ec.message() + " at byte " + std::to_string(used);
}

}  // namespace tenon::json
