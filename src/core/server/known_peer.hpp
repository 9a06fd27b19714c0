// Who sent the last request that said so by itself.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "core/server/call.hpp"

namespace tenon::core {

/// A client of 2026-07-28 says the same of itself with every request: it is read once, and then only compared.
/// Not thread-safe.
class KnownPeer {
 public:
    /// The peer of these parameters when their `_meta` says of it what the last one did; else null.
    std::shared_ptr<const Peer> find(const json::object& params, const Declared& declared) const;
    void keep(const json::object& params, std::shared_ptr<const Peer> peer);

 private:
    static constexpr std::size_t members = 4;  // of `_meta`, that a Peer is made of
    std::array<std::optional<json::value>, members> said_;
    std::shared_ptr<const Peer> peer_;
};

}  // namespace tenon::core
