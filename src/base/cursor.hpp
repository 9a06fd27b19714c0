// Page cursors that clients cannot change without being noticed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/siphash.hpp"

namespace tenon::base {

/// Encodes and signs a position. `kind` names the list: a cursor of one list is invalid for another list.
std::string seal_cursor(const SipKey& key, char kind, std::uint64_t position);

/// Returns the position, or nullopt when a byte, the kind or the key differs.
std::optional<std::uint64_t> open_cursor(const SipKey& key, char kind, std::string_view text);

/// Encode and sign a short text in the same way.
std::string seal_text(const SipKey& key, char kind, std::string_view text);
std::optional<std::string> open_text(const SipKey& key, char kind, std::string_view sealed);

}  // namespace tenon::base
