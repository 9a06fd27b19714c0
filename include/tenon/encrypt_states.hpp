// encrypt_states(): the StateSeal that encrypts. Needs the target tenon::http, because it uses OpenSSL.
//
//     tenon::Server server{"shop", "1.0", {.state_seal = tenon::encrypt_states({key})}};
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <tenon/state_seal.hpp>

#pragma GCC visibility push(default)

namespace tenon {

using StateKey = std::array<std::uint8_t, 32>;

/// Encrypts states with AES-256-GCM. The first key encrypts and every key decrypts, so a key can be replaced while
/// older states are still valid. Machines that serve one endpoint together must share keys. Throws when there is no
/// key.
std::shared_ptr<const StateSeal> encrypt_states(std::vector<StateKey> keys);

}  // namespace tenon

#pragma GCC visibility pop
