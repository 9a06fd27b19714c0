#include "fixtures.hpp"

namespace conformance {

void add_skills(tenon::Server& server) {
    server.skill("pdf-processing", {{.path = "SKILL.md",
                                     .content = "---\n"
                                                "name: pdf-processing\n"
                                                "description: Fill in forms and join documents\n"
                                                "license: Apache-2.0\n"
                                                "metadata:\n"
                                                "  version: \"2.1\"\n"
                                                "---\n\n"
                                                "# PDF\n\nSee references/FORMS.md.\n"},
                                    {.path = "references/FORMS.md", .content = "# Forms\n"},
                                    {.path = "scripts/join.py", .content = "print('join')\n"}});
    server.skill(
        "refunds",
        {{.path = "SKILL.md", .content = "---\nname: refunds\ndescription: Pay money back\n---\nAsk first.\n"}},
        {.prefix = "acme/billing"});
}

}  // namespace conformance
