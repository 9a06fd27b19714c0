// Writes the wire format of protobuf.
#pragma once

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

 private:
    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
        out_ += static_cast<char>(value);
    }
    void little_endian(std::uint64_t value, int size) {
        for (int i = 0; i < size; ++i) out_ += static_cast<char>(value >> (8 * i));
    }

    std::string& out_;
};

}  // namespace tenon::observe
