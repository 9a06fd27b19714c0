// Parses the URL of a store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <tenon/error.hpp>

#include "redis/address.hpp"

namespace tenon::stores {

struct MemoryUrl {};
struct SqliteUrl {
    std::string path;
    bool survives_power_failure = false;
};
using StoreUrl = std::variant<MemoryUrl, SqliteUrl, redis::Address>;

/// Fails with store_misconfigured. The message never has the part of the URL that may contain a password.
Result<StoreUrl> parse_store_url(std::string_view url);

}  // namespace tenon::stores
