// Invariant: any text survives its way through a header, and what is written can stand in one.
// Input: the value of an Mcp-* header, and the same as a text to send.
#include "http/header_value.hpp"

#include "base/utf8.hpp"
#include "support.hpp"

namespace tenon::fuzz {
namespace {

void run(std::string_view input) {
    std::string memory;
    const auto decoded = web::decode_header_value(input, memory);
    const auto owned = web::decode_header_value(input);
    must(decoded.has_value() == owned.has_value() && (!decoded || *decoded == *owned), "both forms decode the same");
    (void)web::name_parameter(input);

    const std::string encoded = web::encode_header_value(input);
    for (const unsigned char c : encoded) must(c >= 0x20 && c < 0x7F, "a written value is visible ASCII");
    must(encoded.empty() || (encoded.front() != ' ' && encoded.back() != ' '), "a written value keeps its spaces");
    const auto back = web::decode_header_value(encoded);
    must(back.has_value() && *back == input, "a text survives its way through a header");

    if (base::is_utf8(input)) must(web::says_the_same(*back, json::value(input)), "a text says the same as itself");
    if (const auto scalar = json::parse(input); scalar && !scalar->is_structured() && !scalar->is_null()) {
        const auto sent = web::decode_header_value(web::encode_header_scalar(*scalar));
        must(sent.has_value() && web::says_the_same(*sent, *scalar), "a scalar says the same as itself");
    }
}

const Target target{"header_value", run};

}  // namespace
}  // namespace tenon::fuzz
