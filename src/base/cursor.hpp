// Page cursors that clients cannot read, and cannot change without being noticed. A readable position would tell how
// many entries there are that the client may not see.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/siphash.hpp"

namespace tenon::base {

/// Encrypts and signs a position. `kind` names the list: a cursor of one list is invalid for another list.
std::string seal_cursor(const SipKey& key, char kind, std::uint64_t position);

/// Returns the position, or nullopt when a byte, the kind or the key differs.
std::optional<std::uint64_t> open_cursor(const SipKey& key, char kind, std::string_view text);

/// Encrypt and sign a short text in the same way. Its length stays visible.
std::string seal_text(const SipKey& key, char kind, std::string_view text);
std::optional<std::string> open_text(const SipKey& key, char kind, std::string_view sealed);

}  // namespace tenon::base
