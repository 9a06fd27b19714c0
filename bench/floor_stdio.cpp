// The floor (see floor.hpp) over stdio: reads the available input, answers every line, writes all responses at once.
// usage: floor_stdio [TOOLS]
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "floor.hpp"

namespace {

void write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (n < 0 && errno != EINTR) std::exit(1);
        if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

}  // namespace

int main(int argc, char** argv) {
    floor_server::Floor floor(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2);
    constexpr std::size_t room = 128 * 1024;
    std::string in(2 * room, '\0'), out;
    std::size_t held = 0, searched = 0;
    while (true) {
        if (in.size() - held < room) in.resize(in.size() * 2);
        const ssize_t n = ::read(STDIN_FILENO, in.data() + held, in.size() - held);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        held += static_cast<std::size_t>(n);
        std::size_t begin = 0;
        while (const void* newline = ::memchr(in.data() + searched, '\n', held - searched)) {
            const auto end = static_cast<std::size_t>(static_cast<const char*>(newline) - in.data());
            floor.answer(std::string_view(in).substr(begin, end - begin),
                         [&](std::string_view message) { out.append(message).append("\n"); });
            begin = searched = end + 1;
        }
        write_all(out);
        out.clear();
        std::memmove(in.data(), in.data() + begin, held - begin);
        held -= begin;
        searched = held;
    }
}
