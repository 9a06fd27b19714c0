// Invariant: Punycode that is read and written again reads the same; an A-label is one host label; checks always end.
// Input: a host name, or what follows "xn--".
#include "schema/idna.hpp"

#include "base/utf8.hpp"
#include "schema/punycode.hpp"
#include "support.hpp"

namespace tenon::fuzz::idna_target {
namespace {

void check_punycode(std::string_view text) {
    const auto decoded = schema::punycode_decode(text);
    if (!decoded) return;
    for (const char32_t c : *decoded) must(c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF), "Punycode has code points");
    const auto again = schema::punycode_decode(schema::punycode_encode(*decoded));
    must(again.has_value() && *again == *decoded, "written Punycode reads the same");
}

void run(std::string_view input) {
    check_punycode(input);
    const std::string label = "xn--" + std::string(input);
    must(schema::has_ace_prefix(label), "the prefix is seen");
    if (schema::is_a_label(label)) must(schema::is_international_host(label, 253), "an A-label is a host");
    if (schema::is_international_host(input, 253)) {
        must(!input.empty() && base::is_utf8(input), "a host name is text");
        must(input.size() <= 253 * 4, "a host name is not long");
    }
}

const Target target{"idna", run};

}  // namespace
}  // namespace tenon::fuzz::idna_target
