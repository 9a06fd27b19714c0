#include "redis/redis_store.hpp"

#include "redis/redis_backend.hpp"
#include "store/front.hpp"

namespace tenon::redis {

std::shared_ptr<Store> redis_store(Address address, StoreOptions options) {
    auto backend = RedisBackend::open(std::move(address), options);
    return std::make_shared<store::Front<RedisBackend>>(std::move(backend), std::move(options));
}

}  // namespace tenon::redis
