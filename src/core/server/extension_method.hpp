// Finds the extension that a method of a user belongs to.
#pragma once

#include <string>
#include <string_view>

#include <tenon/error.hpp>
#include <tenon/json.hpp>

namespace tenon::core {

/// Returns the declared extension that a method belongs to, or an error that says why the method is refused. A method
/// belongs to the extension `asked`, or when that is empty:
/// - to the extension with the same name, or the longest one whose name and a "/" begin the name of the method,
/// - or else to the only extension with the same vendor (the part before the first "/").
Result<std::string> extension_of_method(std::string_view method, std::string_view asked, const json::object& declared);

}  // namespace tenon::core
