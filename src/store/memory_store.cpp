#include <tenon/store/memory.hpp>

#include "store/memory_backend.hpp"

namespace tenon {

std::shared_ptr<Store> memory_store(StoreOptions options) {
    auto backend = std::make_shared<store::MemoryBackend>(options);
    return std::make_shared<store::Front<store::MemoryBackend>>(std::move(backend), std::move(options));
}

}  // namespace tenon
