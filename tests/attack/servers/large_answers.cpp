// Answers that are large, deeply nested, or slow to parse.
#include "attack/colliding_keys.hpp"
#include "attack/messages.hpp"
#include "attack/servers/all.hpp"

namespace attack {
namespace {

void list_with(const Heard& heard, const Say& say, const std::string& value) {
    if (heard.method != "tools/list") return be_polite(heard, say);
    say(heard.answer(R"({"tools":[{"name":"tool","inputSchema":{"type":"object"},"_meta":{"x":)" + value + "}}]}"));
}

}  // namespace

void colliding_answer(const Heard& heard, const Say& say) {
    list_with(heard, say, "{" + colliding_members(104 * 4096) + "}");
}
void number_answer(const Heard& heard, const Say& say) { list_with(heard, say, "[" + list_of("0", 7'500'000) + "]"); }
void deep_answer(const Heard& heard, const Say& say) { list_with(heard, say, std::string(15'000'000, '[')); }

void huge_line(const Heard& heard, const Say& say) {
    if (heard.method != "tools/list") return be_polite(heard, say);
    say(heard.answer("\"" + std::string(1'000'000'000, 'x') + "\""));
}

}  // namespace attack
