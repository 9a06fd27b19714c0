// Caches the peer parsed from the last request's `_meta`.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "core/server/call.hpp"

namespace tenon::core {

/// A modern client (2026-07-28) describes itself in the same way in every request. So the description is parsed once,
/// and later requests are only compared with it. Not thread-safe.
class KnownPeer {
 public:
    /// Returns the cached peer, or null when the `_meta` of these parameters or `declared` differs from the last time.
    std::shared_ptr<const Peer> find(const json::object& params, const Declared& declared) const;
    void keep(const json::object& params, std::shared_ptr<const Peer> peer);

 private:
    static constexpr std::size_t members = 4;  // of `_meta` that describe the client
    std::array<std::optional<json::value>, members> said_;
    std::shared_ptr<const Peer> peer_;
};

}  // namespace tenon::core
