#include "schema/program.hpp"

#include <algorithm>

namespace tenon::schema {

void append_pointer_token(std::string& out, std::string_view token) {
    out += '/';
    for (const char c : token) {
        if (c == '~')
            out += "~0";
        else if (c == '/')
            out += "~1";
        else
            out += c;
    }
}

std::string pointer_of(const std::vector<Location>& locations, std::uint32_t location) {
    std::vector<const Location*> steps;
    for (std::uint32_t at = location; at != Location::none; at = locations[at].parent) steps.push_back(&locations[at]);
    std::reverse(steps.begin(), steps.end());
    std::string out = steps.empty() || steps[0]->token.empty() ? "" : steps[0]->token + "#";
    for (std::size_t i = 1; i < steps.size(); ++i) append_pointer_token(out, steps[i]->token);
    return out;
}

}  // namespace tenon::schema
