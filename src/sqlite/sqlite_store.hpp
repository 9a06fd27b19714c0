// A store in a SQLite database.
#pragma once

#include <memory>
#include <string>

#include <tenon/store.hpp>

namespace tenon::sqlite {

/// Starts two threads, which open the database. Never fails: operations report what is wrong. In a build without SQLite
/// it fails with store_misconfigured.
Result<std::shared_ptr<Store>> sqlite_store(std::string path, bool survives_power_failure, StoreOptions options);

}  // namespace tenon::sqlite
