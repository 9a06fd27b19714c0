// Writes the wire format of protobuf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::observe {

/// Appends fields of one message to a string.
class Protobuf {
 public:
    explicit Protobuf(std::string& out) : out_(out) {}

    void number(unsigned field, std::uint64_t value) {
        varint(field << 3);
        varint(value);
    }
    void fixed64(unsigned field, std::uint64_t value) {
        varint(field << 3 | 1);
        little_endian(value, 8);
    }
    void fixed32(unsigned field, std::uint32_t value) {
        varint(field << 3 | 5);
        little_endian(value, 4);
    }
    /// Writes a string, bytes, or a message that is already encoded.
    void bytes(unsigned field, std::string_view value) {
        varint(field << 3 | 2);
        varint(value.size());
        out_ += value;
    }
    /// Writes the beginning of a message whose fields follow. They must have this size.
    void begin_message(unsigned field, std::size_t size) {
        varint(field << 3 | 2);
        varint(size);
    }
    /// Returns how many bytes bytes() writes for a field of this size. The number of the field is below 16.
    static constexpr std::size_t bytes_size(std::size_t size) {
        std::size_t out = 2 + size;
        for (std::size_t rest = size; rest >= 0x80; rest >>= 7) ++out;
        return out;
    }

 private:
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
        out_ += static_cast<char>(value);
    }
    void little_endian(std::uint64_t value, int size) {
        char bytes[8];
        for (int i = 0; i < size; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
        out_.append(bytes, static_cast<std::size_t>(size));
    }

    std::string& out_;
};

}  // namespace tenon::observe
