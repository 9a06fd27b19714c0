// The body of an HTTP/1.1 message: with a known length, or in chunks (RFC 9112, section 7.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "framing/chunk_extension.hpp"

namespace tenon::framing {

/// The limit of a body. A request with a longer one is refused with this status and reason.
struct BodyLimit {
    static constexpr int status = 413;
    std::uint64_t max_bytes;

    bool is_exceeded_by(std::uint64_t bytes) const { return bytes > max_bytes; }
    std::string why() const;
};

/// Returns the bytes of a body in pieces, as views into the input. Stores nothing.
class HttpBody {
 public:
    static HttpBody of_length(std::uint64_t length) { return HttpBody(State::data, length, false); }
    static HttpBody chunked() { return HttpBody(State::size, 0, true); }

    enum class Event { more, piece, end, error };
    /// Reads from the front of `input` and removes what it has read. `piece`: piece() has bytes. `more`: all of `input`
    /// was read.
    Event next(std::string_view& input);

    std::string_view piece() const { return piece_; }
    /// Returns the bytes that are still missing; 0 when the body is chunked.
    std::uint64_t left() const { return chunked_ ? 0 : left_; }
    /// Returns the bytes of the current chunk that are still missing.
    std::uint64_t left_in_chunk() const { return chunked_ && state_ == State::data ? left_ : 0; }
    const std::string& why() const { return why_; }

 private:
    enum class State { data, size, extension, size_end, data_end, data_lf, trailer, trailer_end, done, broken };
    HttpBody(State state, std::uint64_t left, bool chunked) : state_(state), left_(left), chunked_(chunked) {}

    Event take_data(std::string_view& input);
    Event take_framing(char c);
    Event take_size(char c);
    Event take_extension(char c);
    Event fail(const char* why);

    State state_;
    std::uint64_t left_;  // bytes of the body or the chunk that are still missing
    bool chunked_;
    int digits_ = 0;
    ChunkExtension extension_ = {};
    std::size_t extension_bytes_ = 0;  // of all chunks of the body
    std::string_view piece_;
    std::string why_;
};

}  // namespace tenon::framing
