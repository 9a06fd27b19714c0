#include "report_formats.hpp"
#include "unicode.hpp"

namespace tenon::program {
namespace {

// These code points are valid UTF-8, but XML 1.0 forbids them.
bool is_no_character(char32_t c) { return c == 0xFFFE || c == 0xFFFF; }

void append_escaped(std::string& out, std::string_view character) {
    switch (character.front()) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += character;
    }
}

}  // namespace

std::string markup(std::string_view bytes) {
    const SafeText safe = safe_text(bytes);
    std::string_view left = safe.view();
    std::string out;
    out.reserve(left.size() + left.size() / 8);
    while (!left.empty()) {
        const CodePoint c = first_code_point(left);
        if (is_no_character(c.value))
            out += markup(visible_name(c.value));
        else
            append_escaped(out, left.substr(0, c.bytes));
        left.remove_prefix(c.bytes);
    }
    return out;
}

std::string_view to_string(check::Evidence::Direction direction) {
    switch (direction) {
        case check::Evidence::Direction::sent: return "sent";
        case check::Evidence::Direction::received: return "received";
        case check::Evidence::Direction::note: return "note";
    }
    return {};
}

std::string plain_account(const check::Finding& finding, std::string_view sdk) {
    std::string out = finding.detail;
    if (finding.of_sdk) out += "\nother servers with " + std::string(sdk) + " do the same";
    for (const check::Evidence& piece : finding.evidence) {
        out += "\n" + std::string(to_string(piece.direction)) + ": " + piece.bytes;
        if (piece.left_out > 0) out += " (and " + std::to_string(piece.left_out) + " bytes more)";
    }
    if (!finding.counterexample.empty()) out += "\nsmallest case: " + finding.counterexample;
    out += "\nwhat to do: " + std::string(finding.rule->remedy);
    out += "\nsource: " + finding.rule->clause(finding.revision).source();
    return out;
}

}  // namespace tenon::program
