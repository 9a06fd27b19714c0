#include "sqlite/sqlite_store.hpp"

#include "sqlite/sqlite_backend.hpp"
#include "store/front.hpp"

namespace tenon::sqlite {

Result<std::shared_ptr<Store>> sqlite_store(std::string path, bool survives_power_failure, StoreOptions options) {
    auto backend = SqliteBackend::open({std::move(path), survives_power_failure}, options);
    return std::shared_ptr<Store>(
        std::make_shared<store::Front<SqliteBackend>>(std::move(backend), std::move(options)));
}

}  // namespace tenon::sqlite
