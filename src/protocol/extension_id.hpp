// The identifiers of protocol extensions.
#pragma once

#include <string_view>

#include <tenon/error.hpp>
#include <tenon/json.hpp>

namespace tenon::protocol {

/// Returns whether an identifier follows the rules for keys of `_meta`, with the prefix that extensions need:
/// "com.example/search". The prefix has labels between dots; a label begins with a letter, ends with a letter or digit,
/// and may have hyphens between. The name after the slash begins and ends with a letter or digit, and may have "-", "_"
/// and "." between.
bool is_extension_id(std::string_view id);

/// Returns an error that names the first key that is not an identifier of an extension.
Result<void> check_extension_ids(const json::object& extensions);

}  // namespace tenon::protocol
