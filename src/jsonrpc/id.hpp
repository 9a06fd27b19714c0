// The id of a request, kept exactly as it came: its type, its value, and the spelling of a number that no integer
// type holds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include <tenon/json_writer.hpp>

namespace tenon::jsonrpc {

class Id {
 public:
    explicit Id(std::int64_t n) : value_(n) {}
    explicit Id(std::uint64_t n) : value_(n) {}
    explicit Id(std::string s) : value_(std::move(s)) {}

    /// A string or a number; anything else is no id. `spelling` is the number's text when it is known.
    static std::optional<Id> from(const json::value& v, std::string_view spelling = {});

    void write(json::Writer& w) const;
    std::string text() const;

    /// By value: 1 and 1.0 are the same id, 1 and "1" are not. Numbers that need more than 64 bits are compared as doubles.
    friend bool operator==(const Id& a, const Id& b);
    std::size_t hash() const;

 private:
    struct Decimal {
        double value;
        std::string spelling;
    };
    Id(double value, std::string spelling) : value_(Decimal{value, std::move(spelling)}) {}
    std::optional<double> number() const;

    std::variant<std::int64_t, std::uint64_t, Decimal, std::string> value_;
};

struct IdHash {
    std::size_t operator()(const Id& id) const { return id.hash(); }
};

}  // namespace tenon::jsonrpc
