#include "harness/cases.hpp"

namespace tenon::fuzz {

std::string Cases::sentence() {
    std::string out;
    for (std::size_t words = 1 + below(8); words > 0; --words) out += word();
    return out;
}

std::string Cases::changed(std::string text) {
    for (std::size_t changes = below(4); changes > 0; --changes) change(text);
    return text;
}

void Cases::change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
        case 0: text.insert(at, word()); break;
        case 1: text.erase(at, 1 + below(3)); break;
        case 2: text.insert(at, text.substr(below(text.size() + 1), 1 + below(6))); break;
        case 3:
            if (at < text.size()) text[at] = static_cast<char>(below(128));
            break;
        default: text.insert(at, 1, static_cast<char>(one_in(4) ? below(256) : 32 + below(95)));
    }
}

}  // namespace tenon::fuzz
