// Invariant: however replies are cut, they read the same, within the limits; a written command reads the same.
// Input: two bytes that choose the pieces, then the replies.
#include "framing/resp.hpp"

#include "support.hpp"

namespace tenon::fuzz::resp_target {
namespace {

using framing::RespReader;
using framing::RespValue;

const RespReader::Limits limits{256, 32, 4, 64};

std::size_t items_of(const RespValue& value) {
    std::size_t out = 1;
    for (const auto& item : value.items) out += items_of(item);
    return out;
}

void show(std::string& out, const RespValue& value) {
    out += std::to_string(static_cast<int>(value.kind)) + "," + std::to_string(value.integer) + "," + value.text + "[";
    for (const auto& item : value.items) show(out, item);
    out += "]";
}

std::string read(const Pieces& pieces) {
    RespReader reader(limits);
    std::string out;
    const auto use = [&](RespValue&& value) {
        must(items_of(value) <= 2 * limits.max_items + 1, "a reply is within the limit");
        show(out, value);
    };
    for (const auto piece : pieces)
        if (!reader.feed(piece, use)) return out + reader.error();
    return out;
}

void check_writing(std::string_view text) {
    const auto half = text.substr(0, text.size() / 2).substr(0, 100), rest = text.substr(half.size()).substr(0, 100);
    std::string command;
    framing::append_resp_command(command, {half, rest});
    RespReader reader(limits);
    std::size_t replies = 0;
    reader.feed(command, [&](RespValue&& value) {
        must(value.items.size() == 2 && value.items[0].text == half && value.items[1].text == rest,
             "a written command reads the same");
        ++replies;
    });
    must(replies == 1, "one command is written");
}

void run(std::string_view input) {
    Feed feed(input);
    const auto pattern = feed.take(2);
    same_however_cut(feed.rest(), pattern, read);
    check_writing(feed.rest());
}

const Target target{"resp", run};

}  // namespace
}  // namespace tenon::fuzz::resp_target
