// RESP, the protocol of Redis: encodes commands, and parses replies of RESP2 and RESP3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::framing {

/// Appends a command: an array of bulk strings.
void append_resp_command(std::string& out, std::span<const std::string_view> parts);
inline void append_resp_command(std::string& out, std::initializer_list<std::string_view> parts) {
    append_resp_command(out, std::span(parts.begin(), parts.size()));
}

/// One reply. Types of RESP3 that differ only in meaning are one kind: maps and sets are arrays, a double
/// or a big number is text, a boolean is an integer.
struct RespValue {
    enum class Kind : std::uint8_t { null, text, error, integer, array, push };
    Kind kind = Kind::null;
    std::string text = {};  ///< of a text or an error
    std::int64_t integer = 0;
    std::vector<RespValue> items = {};  ///< of an array or a push; a map has each key before its value

    bool is_error() const { return kind == Kind::error; }
    friend bool operator==(const RespValue&, const RespValue&) = default;
};

/// Parses replies from bytes in pieces of any size. Not thread-safe.
class RespReader {
 public:
    struct Limits {
        std::size_t max_reply_bytes = 64 * 1024 * 1024;  ///< text of one reply
        std::size_t max_items = 1'000'000;               ///< values in one reply, at all depths
        std::size_t max_depth = 8;                       ///< of arrays
        std::size_t max_line_bytes = 64 * 1024;          ///< of a simple text, an error, or a length
    };
    explicit RespReader(Limits limits) : limits_(limits) {}
    RespReader() : RespReader(Limits{}) {}

    /// Calls `use(RespValue&&)` for each complete reply. Returns false once the bytes break the protocol or a limit;
    /// then error() says why, and nothing more is read.
    template <class Use>
    bool feed(std::string_view bytes, Use&& use) {
        RespValue value;
        while (error_.empty() && take(bytes, value)) use(std::exchange(value, {}));
        return error_.empty();
    }
    const std::string& error() const { return error_; }

 private:
    struct Frame {
        RespValue value;
        std::size_t missing;
    };
    /// Returns whether a reply is complete.
    bool take(std::string_view& bytes, RespValue& out);
    bool take_line(std::string_view& bytes);
    bool take_bulk(std::string_view& bytes);
    bool on_line(RespValue& out);
    bool on_header(char type, std::string_view rest, RespValue& out);
    bool on_length(char type, std::int64_t length, RespValue& out);
    bool complete(RespValue value, RespValue& out);
    bool fail(std::string why);

    const Limits limits_;
    std::string line_, error_, bulk_;
    std::vector<Frame> stack_;
    std::size_t bulk_missing_ = 0;  // bytes of the bulk string and its line end
    char bulk_type_ = 0;            // 0: no bulk string is being read
    std::size_t bytes_ = 0, items_ = 0;
};

}  // namespace tenon::framing

#pragma GCC visibility pop
