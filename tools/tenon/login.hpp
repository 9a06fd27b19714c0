// Signs in to servers with a URL. Secrets come from environment variables and files, because all users of the machine
// can read the command line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tenon/auth/client.hpp>

#include "command_line.hpp"
#include "console.hpp"
#include "target.hpp"

namespace tenon::program {

struct Login {
    bool browser = false;  ///< --login
    std::string client_id = {};
    std::string client_secret = {};
    std::string client_key = {};
    std::string issuer = {};
    std::vector<std::string> scopes = {};
};

/// Reads the options for signing in. Throws Failure.
Login login_of(const CommandLine& line);

/// Returns an authoriser that uses the browser, the client's own credentials, or the tokens of an earlier --login.
/// Returns null for a server that is started as a process, and when the user sets the Authorization header. Throws
/// Failure.
std::shared_ptr<auth::Authoriser> authoriser_for(const Target& target, const Login& login, Console& console);

}  // namespace tenon::program
