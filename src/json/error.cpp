#include <tenon/error.hpp>

namespace tenon {

void throw_exception_from_error(const Error& error, const boost::source_location&) { throw Exception(error); }

}  // namespace tenon
