// Opens a store that a URL names.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tenon/store.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Opens a store:
///
/// - `memory:`
/// - `sqlite:PATH` or `sqlite:PATH?durable=power`: a file of this machine, made if missing. By default an acknowledged
///   write survives the death of the process; `durable=power` makes it survive a power failure too, and is slower.
/// - `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=NAME]`, or `rediss://` for TLS with a valid certificate;
///   `?ca=FILE` names another certificate authority. `redis+unix:PATH[?...]` for a socket of this machine.
///
/// Fails with store_misconfigured, and says what is allowed. Does not connect: Store::check() does. Error messages and
/// logs never have the password.
Result<std::shared_ptr<Store>> open_store(std::string_view url, StoreOptions options = {});

/// Returns the URL without its password, for logs.
std::string without_password(std::string_view store_url);

}  // namespace tenon

#pragma GCC visibility pop
