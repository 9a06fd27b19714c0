#include "auth/client/challenge.hpp"

#include <algorithm>
#include <optional>

#include "framing/http_fields.hpp"

namespace tenon::auth::client {
namespace {

using std::string_view;

class ChallengeReader {
 public:
    explicit ChallengeReader(string_view text) : text_(text) {}

    std::vector<Challenge> read() {
        std::vector<Challenge> out;
        while (skip_to_element() && out.size() < max_challenges) {
            Challenge next;
            next.scheme = take_token();
            if (next.scheme.empty() || !read_rest(next)) break;
            out.push_back(std::move(next));
        }
        return out;
    }

 private:
    bool at_end() const { return at_ == text_.size(); }
    char peek() const { return at_end() ? '\0' : text_[at_]; }
    void skip_spaces() {
        while (peek() == ' ' || peek() == '\t') ++at_;
    }
    // Skips commas and spaces. Returns false at the end.
    bool skip_to_element() {
        while (peek() == ' ' || peek() == '\t' || peek() == ',') ++at_;
        return !at_end();
    }
    std::string take_token() {
        std::size_t n = 0;
        while (at_ + n < text_.size() && framing::is_token(text_.substr(at_ + n, 1))) ++n;
        at_ += n;
        return std::string(text_.substr(at_ - n, n));
    }
    std::optional<std::string> take_value() {
        if (peek() != '"') {
            std::string token = take_token();
            return token.empty() ? std::nullopt : std::optional(std::move(token));
        }
        std::string out;
        for (++at_; !at_end(); ++at_) {
            if (peek() == '"') {
                ++at_;
                return out;
            }
            if (peek() == '\\' && at_ + 1 < text_.size()) ++at_;
            out += peek();
        }
        return std::nullopt;
    }
    bool at_element_end() const { return at_end() || peek() == ','; }

    // Reads the part after the scheme: nothing, one token68, or parameters.
    bool read_rest(Challenge& out) {
        if (at_element_end()) return true;
        if (peek() != ' ') return false;
        skip_spaces();
        if (at_element_end()) return true;
        if (take_token68(out)) return true;
        for (bool first = true; out.parameters.size() < max_challenge_parameters; first = false) {
            const std::size_t begin = at_;
            if (!first && !skip_to_element()) return true;
            if (!take_parameter(out)) {
                at_ = begin;  // the next challenge begins here, or the text is malformed
                return !first;
            }
            skip_spaces();
            if (!at_element_end()) return false;
        }
        return false;
    }
    bool take_token68(Challenge& out) {
        constexpr string_view allowed = "-._~+/";
        std::size_t end = at_;
        const auto is_68 = [&](char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   allowed.find(c) != string_view::npos;
        };
        while (end < text_.size() && is_68(text_[end])) ++end;
        const std::size_t letters = end - at_;
        while (end < text_.size() && text_[end] == '=') ++end;
        const string_view after = framing::trimmed(text_.substr(end));
        if (letters == 0 || (!after.empty() && after.front() != ',')) return false;
        out.token68 = text_.substr(at_, end - at_);
        at_ = end;
        skip_spaces();
        return true;
    }
    bool take_parameter(Challenge& out) {
        std::string name = take_token();
        if (name.empty()) return false;
        skip_spaces();
        if (peek() != '=') return false;
        ++at_;
        skip_spaces();
        auto value = take_value();
        if (!value) return false;
        out.parameters.emplace_back(std::move(name), *std::move(value));
        return true;
    }

    string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

bool Challenge::is(string_view name) const { return framing::equal_ignoring_case(scheme, name); }

string_view Challenge::parameter(string_view name) const {
    const auto it =
        std::ranges::find_if(parameters, [&](const auto& p) { return framing::equal_ignoring_case(p.first, name); });
    return it == parameters.end() ? string_view() : string_view(it->second);
}

std::vector<Challenge> parse_challenges(string_view field) { return ChallengeReader(field).read(); }

std::string oauth_parameter(const std::vector<Challenge>& challenges, std::string_view name) {
    for (const Challenge& c : challenges)
        if (c.is_oauth() && !c.parameter(name).empty()) return std::string(c.parameter(name));
    return {};
}

}  // namespace tenon::auth::client
