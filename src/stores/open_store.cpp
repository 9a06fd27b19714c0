#include <tenon/store/memory.hpp>
#include <tenon/store/open.hpp>

#include "redis/redis_store.hpp"
#include "sqlite/sqlite_store.hpp"
#include "stores/store_url.hpp"

namespace tenon {

Result<std::shared_ptr<Store>> open_store(std::string_view url, StoreOptions options) {
    auto parsed = stores::parse_store_url(url);
    if (!parsed) return parsed.error();
    if (std::holds_alternative<stores::MemoryUrl>(*parsed)) return memory_store(std::move(options));
    if (auto* address = std::get_if<redis::Address>(&*parsed))
        return redis::redis_store(std::move(*address), std::move(options));
    auto& file = std::get<stores::SqliteUrl>(*parsed);
    return sqlite::sqlite_store(std::move(file.path), file.survives_power_failure, std::move(options));
}

}  // namespace tenon
