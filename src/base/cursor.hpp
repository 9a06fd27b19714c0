// Page cursors that a client can carry but neither read meaning into nor alter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/siphash.hpp"

namespace tenon::base {

/// `kind` names the list the cursor belongs to, so that a cursor of one list does not open another.
std::string seal_cursor(const SipKey& key, char kind, std::uint64_t position);

/// The position that was sealed; nothing when a byte, the kind or the key differs.
std::optional<std::uint64_t> open_cursor(const SipKey& key, char kind, std::string_view text);

}  // namespace tenon::base
