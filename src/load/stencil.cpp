#include "load/stencil.hpp"

namespace tenon::load {
namespace {

void write_digits(char* to, std::uint64_t number) {
    for (std::size_t i = number_width; i-- > 0; number /= 10) to[i] = static_cast<char>('0' + number % 10);
}

}  // namespace

// Finds the places of the number by rendering with two numbers. They differ in every digit, so every digit is found.
Result<Stencil> Stencil::of(const Render& render) {
    constexpr std::uint64_t one = 1'111'111'111, other = 2'222'222'222, proof = 9'876'543'210;
    Stencil out;
    out.bytes_ = render(one);
    const std::string second = render(other);
    if (second.size() == out.bytes_.size())
        for (std::size_t i = 0; i < second.size(); ++i) {
            if (second[i] == out.bytes_[i]) continue;
            if (i + number_width > second.size()) break;
            out.places_.push_back(i);
            i += number_width - 1;
        }
    if (out.with(proof) != render(proof))
        return Error{code::invalid_params, "the request must differ only in its number"};
    return out;
}

std::string_view Stencil::with(std::uint64_t number) {
    for (const std::size_t place : places_) write_digits(bytes_.data() + place, number);
    return bytes_;
}

}  // namespace tenon::load
