// How the program ends: its exit statuses, and a failure on its way to one.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include <tenon/error.hpp>

namespace tenon::program {

/// Documented in --help and in the manual page.
enum class Status {
    ok = 0,
    tool_error = 1,     ///< the tool ran and said isError
    check_failed = 1,   ///< the check ran and found something
    usage = 2,          ///< the command line, or what it asks for, cannot be
    connection = 3,     ///< the server cannot be started or reached, or it died
    protocol = 4,       ///< the server answered with an error, or with what the protocol does not allow
    timeout = 5,        ///< the server did not answer in time
    interrupted = 130,  ///< by Ctrl-C, or the user said no
};

/// What went wrong, and what to do about it. The texts may hold what a server said: they are shown as safe text.
struct Failure : std::runtime_error {
    Failure(Status how, const std::string& what, std::string remedy = {})
        : std::runtime_error(what), status(how), fix(std::move(remedy)) {}

    Status status;
    std::string fix;
    std::optional<Error> answer = {};  ///< the server's, when it gave one
};

inline Failure usage_failure(const std::string& what, std::string fix = {}) {
    return Failure(Status::usage, what, std::move(fix));
}

}  // namespace tenon::program
