#include "auth/resource_server/token_static.hpp"

#include <algorithm>

#include "jose/digest.hpp"

namespace tenon::auth {
namespace {

constexpr std::string_view prefix = "sha256:";
constexpr std::string_view digits = "0123456789abcdef";

bool is_hash(std::string_view hash) {
    return hash.size() == prefix.size() + 64 && hash.starts_with(prefix) &&
           hash.find_first_not_of(digits, prefix.size()) == hash.npos;
}

std::string in_words(std::string_view hash) {
    std::string out(prefix);
    for (const char c : hash) {
        const auto byte = static_cast<unsigned char>(c);
        out += {digits[byte >> 4], digits[byte & 15]};
    }
    return out;
}

class StaticChecker final : public TokenChecker {
 public:
    explicit StaticChecker(const StaticTokens& options) : tokens_(options.tokens) {
        for (const StaticToken& token : tokens_) {
            if (token.principal.empty()) throw Exception({code::invalid_params, "a static token needs a principal"});
            if (!is_hash(token.hash))
                throw Exception(
                    {code::invalid_params,
                     "the hash of the static token of `" + token.principal +
                         "` must be \"sha256:\" and 64 hexadecimal digits in lower case; hash_token() makes it"});
        }
    }

    // Compares with every token, so that the time reveals neither which token matched nor how close a guess was.
    Step look(const PresentedToken& token, const Now&) override {
        const std::string hash = in_words(token.hash);
        const StaticToken* found = nullptr;
        for (const StaticToken& one : tokens_)
            if (jose::same_secret(one.hash, hash)) found = &one;
        if (!found) return BadToken{"the token is not known"};
        return Token{found->principal, ScopeSet(found->scopes.begin(), found->scopes.end())};
    }

 private:
    const std::vector<StaticToken> tokens_;
};

}  // namespace

std::string hash_token(std::string_view token) { return in_words(jose::sha256(token)); }

std::unique_ptr<TokenChecker> make_static_checker(const StaticTokens& options) {
    return std::make_unique<StaticChecker>(options);
}

}  // namespace tenon::auth
