// Invariant: cursors and seals open unchanged only; a changed byte, another kind or another binding is refused.
// Input: one byte (a change), two (its place), eight (a position), then a text that is not sealed.
#include "base/cursor.hpp"

#include "jose/request_state_seal.hpp"
#include "support.hpp"

namespace tenon::fuzz::cursor_target {
namespace {

void check_cursor(std::uint64_t position, std::size_t at, char change) {
    const base::SipKey key{};
    std::string cursor = base::seal_cursor(key, 't', position);
    must(base::open_cursor(key, 't', cursor) == position, "a cursor opens");
    must(!base::open_cursor(key, 'p', cursor), "a cursor of another list does not open");
    if (change == 0) return;
    cursor[at % cursor.size()] = static_cast<char>(cursor[at % cursor.size()] ^ change);
    must(!base::open_cursor(key, 't', cursor), "a changed cursor does not open");
}

void check_seal(std::string_view state, std::size_t at, char change) {
    static const jose::Seal seal({jose::SealKey{1, 2, 3}});
    const jose::Seal::Time now{};
    std::string sealed = seal.close(state, "binding", now);
    must(seal.open(sealed, "binding", now).state == state, "a seal opens");
    must(!seal.open(sealed, "another", now).state, "a seal with another binding does not open");
    must(!seal.open(state, "binding", now).state, "an unsealed text does not open");
    if (change == 0) return;
    sealed[at % sealed.size()] = static_cast<char>(sealed[at % sealed.size()] ^ change);
    must(!seal.open(sealed, "binding", now).state, "a changed seal does not open");
}

void run(std::string_view input) {
    Feed feed(input);
    const auto change = static_cast<char>(feed.byte());
    const std::size_t at = feed.byte() * 256U + feed.byte();
    std::uint64_t position = 0;
    for (int i = 0; i < 8; ++i) position = position << 8U | feed.byte();
    check_cursor(position, at, change);
    must(!base::open_cursor({9, 9}, 't', feed.rest()), "an unsealed text does not open");
    check_seal(feed.rest(), at, change);
}

const Target target{"cursor", run};

}  // namespace
}  // namespace tenon::fuzz::cursor_target
