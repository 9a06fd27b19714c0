#include <tenon/store/memory.hpp>
#include <tenon/store/open.hpp>

#include "redis/redis_store.hpp"
#include "stores/store_url.hpp"

namespace tenon {

Result<std::shared_ptr<Store>> open_store(std::string_view url, StoreOptions options) {
    auto parsed = stores::parse_store_url(url);
    if (!parsed) return parsed.error();
    if (std::holds_alternative<stores::MemoryUrl>(*parsed)) return memory_store(std::move(options));
    if (auto* address = std::get_if<redis::Address>(&*parsed))
        return redis::redis_store(std::move(*address), std::move(options));
    return Error{code::store_misconfigured, "this version of Tenon has no SQLite yet"};
}

}  // namespace tenon
