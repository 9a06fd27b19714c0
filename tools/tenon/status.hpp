// Exit statuses of the program, and the failure that leads to one.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include <tenon/error.hpp>

namespace tenon::program {

/// Documented in --help and in the manual page.
enum class Status {
    ok = 0,
    tool_error = 1,     ///< the tool returned isError
    check_failed = 1,   ///< the check found a broken rule
    usage = 2,          ///< invalid command line
    connection = 3,     ///< the server cannot be started or reached, or has died
    protocol = 4,       ///< the server sent an error, or broke the protocol
    timeout = 5,        ///< the server did not answer in time
    interrupted = 130,  ///< by Ctrl-C, or the user declined
};

/// An error message and a remedy. Both may contain text of a server, so show them as SafeText.
struct Failure : std::runtime_error {
    Failure(Status how, const std::string& what, std::string remedy = {})
        : std::runtime_error(what), status(how), fix(std::move(remedy)) {}

    Status status;
    std::string fix;
    std::optional<Error> answer = {};  ///< the server's error, if it sent one
};

inline Failure usage_failure(const std::string& what, std::string fix = {}) {
    return Failure(Status::usage, what, std::move(fix));
}

}  // namespace tenon::program
