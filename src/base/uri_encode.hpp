// Percent-encoding, the two ways RFC 6570 needs it.
#pragma once

#include <string>
#include <string_view>

namespace tenon::base {

/// Everything but unreserved characters is encoded.
std::string encode_unreserved(std::string_view text);

/// Reserved characters and what is percent-encoded already stay as they are too.
std::string encode_reserved(std::string_view text);

}  // namespace tenon::base
