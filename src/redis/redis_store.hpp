// A store in Redis.
#pragma once

#include <memory>

#include <tenon/store.hpp>

#include "redis/address.hpp"

namespace tenon::redis {

/// Starts a thread, which connects. Never fails: operations report what is wrong.
std::shared_ptr<Store> redis_store(Address address, StoreOptions options);

}  // namespace tenon::redis
