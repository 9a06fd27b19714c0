// Invariant: the load generator reads the same messages and the same end of a response, however its bytes are cut.
// Input: two bytes that choose the pieces, then the bytes of the server.
#include "load/http_responses.hpp"

#include <algorithm>

#include "support.hpp"

namespace tenon::fuzz::load_responses_target {
namespace {

using load::HttpResponses;
using State = HttpResponses::State;

constexpr std::size_t max_message = 300;

std::string read(const Pieces& pieces) {
    HttpResponses responses(max_message);
    responses.expect();
    std::string out;
    const auto use = [&](std::string_view message) {
        must(!message.empty() && message.size() <= max_message, "a message is within its limit");
        out.append("[").append(message).append("]");
    };
    for (std::string_view piece : pieces) {
        while (!piece.empty()) {
            const auto room = responses.room();
            must(!room.empty(), "there is room for more bytes");
            const std::size_t n = std::min(room.size(), piece.size());
            std::ranges::copy(piece.substr(0, n), room.begin());
            piece.remove_prefix(n);
            State state = responses.take(n, use);
            if (state == State::head) {
                out += "HEAD " + std::to_string(responses.status()) + responses.session();
                state = responses.take(0, use);
            }
            must(state != State::head, "a response has one head");
            if (state == State::done) return out + " DONE";
            if (state == State::broken) return out + " BROKEN " + responses.why();
        }
    }
    return out + (responses.end_of_input(use) == State::done ? " DONE" : " BROKEN " + responses.why());
}

void run(std::string_view input) {
    Feed feed(input);
    const auto pattern = feed.take(2);
    same_however_cut(feed.rest(), pattern, read);
}

const Target target{"load_responses", run};

}  // namespace
}  // namespace tenon::fuzz::load_responses_target
