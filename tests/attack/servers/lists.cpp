// Lists that never come to an end.
#include "attack/servers/all.hpp"

namespace attack {
namespace {

void next_page(const Heard& heard, const Say& say, std::size_t cursor_bytes) {
    static int page = 0;
    if (heard.method != "tools/list") return be_polite(heard, say);
    const std::string number = std::to_string(++page);
    say(heard.answer(R"({"tools":[{"name":"tool)" + number + R"(","inputSchema":{"type":"object"}}],"nextCursor":")" +
                     number + std::string(cursor_bytes, 'c') + "\"}"));
}

}  // namespace

void endless_list(const Heard& heard, const Say& say) { next_page(heard, say, 0); }
void huge_cursors(const Heard& heard, const Say& say) { next_page(heard, say, 10 << 20); }

}  // namespace attack
