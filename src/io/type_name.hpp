// The name of a C++ type, for logs.
#pragma once

#include <string>
#include <typeinfo>

namespace tenon::io {

/// Returns the name as it is in source code, for example "std::runtime_error".
std::string type_name(const std::type_info& type);

}  // namespace tenon::io
