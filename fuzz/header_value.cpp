// Invariant: any text survives encoding and decoding, and an encoded text is valid in a header.
// Input: a text, used as the value of an Mcp-* header and as a text to encode.
#include "web/header_value.hpp"

#include <cmath>

#include "base/utf8.hpp"
#include "support.hpp"

namespace tenon::fuzz::header_value_target {
namespace {

// Numbers above 2^53 - 1 are never equal, because proxies that use doubles could not tell them apart.
bool can_be_compared(const json::value& v) {
    if (v.is_number()) return std::abs(v.to_number<double>()) <= 9007199254740991.0;
    return v.is_string() || v.is_bool();
}

void run(std::string_view input) {
    std::string memory;
    const auto decoded = web::decode_header_value(input, memory);
    const auto owned = web::decode_header_value(input);
    must(decoded.has_value() == owned.has_value() && (!decoded || *decoded == *owned), "both forms decode the same");

    const std::string encoded = web::encode_header_value(input);
    must(all_between(encoded, 0x20, 0x7E), "a written value is visible ASCII");
    must(encoded.empty() || (encoded.front() != ' ' && encoded.back() != ' '), "a written value keeps its spaces");
    const auto back = web::decode_header_value(encoded);
    must(back.has_value() && *back == input, "a text survives encoding and decoding");

    if (base::is_utf8(input)) must(web::says_the_same(*back, json::value(input)), "a text says the same as itself");
    if (const auto scalar = json::parse(input); scalar && can_be_compared(*scalar)) {
        const auto sent = web::decode_header_value(web::encode_header_scalar(*scalar));
        must(sent.has_value() && web::says_the_same(*sent, *scalar), "a scalar says the same as itself");
    }
}

const Target target{"header_value", run};

}  // namespace
}  // namespace tenon::fuzz::header_value_target
