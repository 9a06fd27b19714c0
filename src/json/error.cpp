#include <tenon/error.hpp>

namespace tenon {

void throw_exception_from_error(const Error& error, const boost::source_location&) { throw Exception(error); }

namespace detail {

Error replayed_error() {
    Error error(code::internal_error, "the client was asked; the call runs again with its answer");
    error.kind = ErrorKind::replayed;
    return error;
}

Error current_error() {
    try {
        throw;
    } catch (const Exception& e) {
        return e.error();
    } catch (const std::exception& e) {
        return {code::internal_error, e.what()};
    } catch (const Unwind&) {
        return replayed_error();
    } catch (...) {
        return {code::internal_error, "the handler threw something other than a std::exception"};
    }
}

}  // namespace detail
}  // namespace tenon
