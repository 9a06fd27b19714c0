#include "base/uri_template.hpp"

#include <algorithm>

#include "base/uri_chars.hpp"
#include "base/uri_encode.hpp"
#include "base/utf8.hpp"

namespace tenon::base {
namespace {

using Part = UriTemplate::Part;
using Variable = UriTemplate::Variable;

constexpr std::size_t max_prefix_digits = 4;

bool is_literal_char(char c) noexcept {
    return static_cast<unsigned char>(c) > ' ' && c != '\x7F' &&
           std::string_view("\"%<>\\^`{|}").find(c) == std::string_view::npos;
}

class Parser {
 public:
    explicit Parser(std::string_view text) : text_(text) {}

    bool parse() {
        if (text_.size() > UriTemplate::max_template_length) return fail("the template is too long");
        if (!is_utf8(text_)) return fail("the template is not UTF-8");
        while (at_ < text_.size()) {
            if (!(text_[at_] == '{' ? expression() : literal())) return false;
            if (steps_ > UriTemplate::max_parts) return fail("the template has too many parts");
        }
        return true;
    }

    std::vector<Part> parts() && { return std::move(parts_); }
    const std::string& why() const noexcept { return why_; }

 private:
    bool fail(std::string what) {
        why_ = std::move(what) + " (at byte " + std::to_string(at_) + ")";
        return false;
    }

    bool literal() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && text_[at_] != '{') {
            if (is_percent_encoded(text_, at_)) {
                at_ += 3;
            } else if (is_literal_char(text_[at_])) {
                ++at_;
            } else {
                return fail("a character that must be percent-encoded or stands outside an expression");
            }
        }
        Part part;
        part.literal = encode_reserved(text_.substr(begin, at_ - begin));
        parts_.push_back(std::move(part));
        ++steps_;
        return true;
    }

    bool expression() {
        Part part;
        ++at_;
        if (std::string_view("+#./;?&").find(peek()) != std::string_view::npos) part.op = text_[at_++];
        do {
            if (!variable(part)) return false;
        } while (skip(','));
        if (!skip('}')) return fail("expected \",\" or \"}\" after a variable");
        parts_.push_back(std::move(part));
        return true;
    }

    bool variable(Part& part) {
        Variable v;
        if (!name(v.name)) return false;
        v.explode = skip('*');
        if (!v.explode && skip(':') && !prefix(v.prefix)) return false;
        part.variables.push_back(std::move(v));
        ++steps_;
        return true;
    }

    bool name(std::string& out) {
        const std::size_t begin = at_;
        do {
            if (!name_character()) return fail("expected a variable name of letters, digits, \"_\" and single dots");
            while (name_character()) continue;
        } while (skip('.'));
        out = text_.substr(begin, at_ - begin);
        return true;
    }

    bool name_character() {
        if (is_percent_encoded(text_, at_)) return at_ += 3, true;
        if (!is_alpha(peek()) && !is_digit(peek()) && peek() != '_') return false;
        return ++at_, true;
    }

    bool prefix(std::size_t& out) {
        const std::size_t begin = at_;
        while (is_digit(peek()) && at_ - begin < max_prefix_digits)
            out = out * 10 + static_cast<std::size_t>(text_[at_++] - '0');
        if (at_ == begin || text_[begin] == '0') return fail("a prefix length is a number from 1 to 9999");
        return true;
    }

    // Returns NUL at the end. NUL has no meaning in a template.
    char peek() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool skip(char c) noexcept { return peek() == c ? (++at_, true) : false; }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t steps_ = 0;
    std::vector<Part> parts_;
    std::string why_;
};

}  // namespace

std::optional<UriTemplate> UriTemplate::parse(std::string_view text, std::string* why) {
    Parser parser(text);
    if (parser.parse()) return UriTemplate(text, std::move(parser).parts());
    if (why) *why = parser.why();
    return std::nullopt;
}

std::vector<std::string> UriTemplate::variables() const {
    std::vector<std::string> names;
    for (const Part& part : parts_)
        for (const Variable& v : part.variables)
            if (std::find(names.begin(), names.end(), v.name) == names.end()) names.push_back(v.name);
    return names;
}

}  // namespace tenon::base
