// Answers that are missing, or are for other requests.
#include "attack/servers/all.hpp"

namespace attack {

void silence(const Heard& heard, const Say& say) {
    if (heard.method != "tools/list") be_polite(heard, say);
}

void wrong_ids(const Heard& heard, const Say& say) {
    if (heard.method != "tools/list") return be_polite(heard, say);
    for (const char* id : {"99999", "\"1\"", "null", "-1", "1e3", "{}"})
        say(Heard{heard.method, id, {}}.answer(tool_list(R"({"type":"object"})")));
}

}  // namespace attack
