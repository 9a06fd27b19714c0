// The revisions of the protocol. Only this module compares them; other code asks Rules (versions.hpp).
#pragma once

#include <cstdint>

namespace tenon::protocol {

enum class Revision : std::uint8_t { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 };
inline constexpr Revision oldest_revision = Revision::v2024_11_05, newest_revision = Revision::v2026_07_28;

}  // namespace tenon::protocol
