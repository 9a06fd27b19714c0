// Takes the place of the module sqlite in a build without SQLite.
#include "sqlite/sqlite_store.hpp"

namespace tenon::sqlite {

Result<std::shared_ptr<Store>> sqlite_store(std::string, bool, StoreOptions) {
    return Error(code::store_misconfigured,
                 "this build of Tenon has no SQLite. Build it with TENON_BUILD_SQLITE=ON, or use "
                 "another store");
}

}  // namespace tenon::sqlite
