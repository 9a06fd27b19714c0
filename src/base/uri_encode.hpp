// The two kinds of percent-encoding of RFC 6570.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

/// Encodes all characters that are not unreserved.
std::string encode_unreserved(std::string_view text);

/// Encodes all characters that are neither unreserved nor reserved. Keeps text that is percent-encoded already.
std::string encode_reserved(std::string_view text);

}  // namespace tenon::base

#pragma GCC visibility pop
