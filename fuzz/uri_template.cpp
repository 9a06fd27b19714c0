// Invariant: a match has only variables of its template, and can be expanded. A safe match is also a raw match.
// Input: a template, NUL, a URI.
#include "base/uri_template.hpp"

#include <algorithm>

#include "base/uri.hpp"
#include "support.hpp"

namespace tenon::fuzz::uri_template_target {
namespace {

void run(std::string_view input) {
    Feed feed(input);
    const std::string source(feed.until('\0')), uri(feed.rest());
    if (const auto parsed = base::parse_uri(uri)) (void)base::has_traversal(*parsed);

    const auto parsed = base::UriTemplate::parse(source);
    if (!parsed) return;
    const auto variables = parsed->match(uri);
    if (!variables) return;
    const auto names = parsed->variables();
    for (const auto& [name, value] : *variables)
        must(std::ranges::find(names, name) != names.end(), "a match has only variables of its template");
    must(parsed->expand(*variables).has_value(), "a match can be expanded");
    must(parsed->match(uri, base::UriTemplate::Values::raw) == variables, "a safe match is also a raw match");
}

const Target target{"uri_template", run};

}  // namespace
}  // namespace tenon::fuzz::uri_template_target
