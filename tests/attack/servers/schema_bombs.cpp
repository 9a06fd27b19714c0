// Short schemas that take long to compile.
#include "attack/servers/all.hpp"

namespace attack {
namespace {

const std::string bomb = R"({"type":"object","properties":{"word":{"type":"string","pattern":"(){1000000}"},)"
                         R"("more":{"type":"string","pattern":"((a{1000}){1000}){1000}"}}})";

}  // namespace

void output_schema_bomb(const Heard& heard, const Say& say) {
    if (heard.method == "tools/list") return void(say(heard.answer(tool_list(R"({"type":"object"})", bomb))));
    if (heard.method == "tools/call")
        return void(say(heard.answer(
            R"({"content":[{"type":"text","text":"done"}],"structuredContent":{"word":"a","more":"a"}})")));
    be_polite(heard, say);
}

void input_schema_bomb(const Heard& heard, const Say& say) {
    if (heard.method == "tools/list") return void(say(heard.answer(tool_list(bomb))));
    be_polite(heard, say);
}

void form_schema_bomb(const Heard& heard, const Say& say) {
    if (heard.method != "tools/call") return be_polite(heard, say);
    say(R"({"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Well?","requestedSchema":)" +
        bomb + "}}");
}

}  // namespace attack
