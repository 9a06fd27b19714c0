// A match names only variables of its template and can be expanded. A match with safe values is also a raw match.
// Input: template, NUL, URI.
#include "base/uri_template.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/uri.hpp"

using tenon::base::UriTemplate;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(data, data + size);
    const std::size_t nul = std::min(input.find('\0'), size);
    const std::string uri = input.substr(std::min(nul + 1, size));
    if (const auto parsed = tenon::base::parse_uri(uri)) (void)tenon::base::has_traversal(*parsed);

    const auto t = UriTemplate::parse(input.substr(0, nul));
    if (!t) return 0;
    const auto variables = t->match(uri);
    if (!variables) return 0;
    const auto names = t->variables();
    for (const auto& [name, value] : *variables)
        if (std::find(names.begin(), names.end(), name) == names.end()) std::abort();
    if (!t->expand(*variables)) std::abort();
    if (t->match(uri, UriTemplate::Values::raw) != variables) std::abort();
    return 0;
}
