#include "io/random.hpp"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace tenon::io {

void fill_random(void* to, std::size_t size) {
    auto* at = static_cast<char*>(to);
    while (size > 0) {
        const ssize_t n = ::getrandom(at, size, 0);
        if (n < 0) {
            if (errno == EINTR) continue;
            throw std::system_error(errno, std::generic_category(), "getrandom");
        }
        at += n;
        size -= static_cast<std::size_t>(n);
    }
}

}  // namespace tenon::io
