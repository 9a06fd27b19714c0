#include "io/descriptors.hpp"

#include <fcntl.h>
#include <sys/resource.h>

namespace tenon::io {

std::size_t raise_descriptor_limit() noexcept {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return 0;
    const rlim_t before = files.rlim_cur;
    files.rlim_cur = files.rlim_max;
    return ::setrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur : before;
}

void SpareDescriptor::take() noexcept { fd_ = Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace tenon::io
