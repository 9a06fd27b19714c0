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

    /// A string or a number; anything else is no id. `spelling` is the number's text; where it is not known, a number
    /// that no integer type holds stands for every id that rounds to it.
    static std::optional<Id> from(const json::value& v, std::string_view spelling = {});

    void write(json::Writer& w) const;
    std::string text() const;

    /// By exact value: 1 and 1.0 are the same id, 1 and "1" are not, nor are two numbers that round to the same double.
    friend bool operator==(const Id& a, const Id& b);
    std::size_t hash() const;

 private:
    struct Decimal {
        double rounded;
        std::string spelling;  // empty: not known
    };
    Id(double rounded, std::string spelling) : value_(Decimal{rounded, std::move(spelling)}) {}
    std::optional<double> rounded() const;

    std::variant<std::int64_t, std::uint64_t, Decimal, std::string> value_;
};

struct IdHash {
    std::size_t operator()(const Id& id) const { return id.hash(); }
};

}  // namespace tenon::jsonrpc
