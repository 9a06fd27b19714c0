// The bytes that this process has allocated, for tests of the memory of a data structure.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // NOLINT: the name that the sanitizers have
#else
#include <malloc.h>
#endif

namespace tenon::test {

/// Returns the bytes on the heap that were not freed yet. A test that uses it must not run other threads.
inline std::size_t allocated_bytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return __sanitizer_get_current_allocated_bytes();
#else
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
}

}  // namespace tenon::test
