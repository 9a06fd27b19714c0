// The id of a request, exactly as it was received: its type and value, and the spelling of a number that does not fit
// an integer type.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include <tenon/json_writer.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::jsonrpc {

class Id {
 public:
    explicit Id(std::int64_t n) : value_(n) {}
    explicit Id(std::uint64_t n) : value_(n) {}
    explicit Id(std::string s) : value_(std::move(s)) {}

    /// Returns nullopt unless `v` is a string or a number. `spelling` is the text of the number. Without it, a number
    /// that does not fit an integer type is equal to every id that rounds to the same double.
    static std::optional<Id> from(const json::value& v, std::string_view spelling = {});

    void write(json::Writer& w) const;
    std::string text() const;

    /// Compares exact values. 1 and 1.0 are equal. 1 and "1" are not, nor are different numbers that round to the same
    /// double.
    friend bool operator==(const Id& a, const Id& b);
    std::size_t hash() const;

 private:
    struct Decimal {
        double rounded;
        std::string spelling;  // empty: unknown
    };
    Id(double rounded, std::string spelling) : value_(Decimal{rounded, std::move(spelling)}) {}
    std::optional<double> rounded() const;

    std::variant<std::int64_t, std::uint64_t, Decimal, std::string> value_;
};

struct IdHash {
    std::size_t operator()(const Id& id) const { return id.hash(); }
};

}  // namespace tenon::jsonrpc

#pragma GCC visibility pop
