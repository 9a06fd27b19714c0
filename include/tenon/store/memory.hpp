// The memory store: the default. Its state belongs to one process and ends with it.
#pragma once

#include <memory>

#include <tenon/store.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Makes a store in the memory of this process. It has no thread: it answers inside each call, and removes expired
/// state while it handles other operations. Above StoreLimits::max_memory_bytes, writes end with store_unavailable.
std::shared_ptr<Store> memory_store(StoreOptions options = {});

}  // namespace tenon

#pragma GCC visibility pop
