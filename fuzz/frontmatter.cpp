// Invariant: any text is read as YAML or refused. A frontmatter that was read equals itself, and its JSON is YAML again.
// Input: a SKILL.md.
#include "skills/frontmatter.hpp"

#include "skills/yaml.hpp"
#include "support.hpp"

namespace tenon::fuzz::frontmatter_target {
namespace {

void run(std::string_view input) {
    (void)skills::parse_yaml(input);
    const auto fields = skills::read_frontmatter(input, {});
    if (!fields) return;
    must(skills::same_frontmatter(*fields, *fields), "a frontmatter equals itself");
    const auto again = skills::parse_yaml(json::write(*fields));
    must(!again || skills::same_frontmatter(*again, *fields), "JSON is YAML");
}

const Target target{"frontmatter", run};

}  // namespace
}  // namespace tenon::fuzz::frontmatter_target
