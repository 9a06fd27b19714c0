// Signs in to servers with a URL. Secrets come from variables and files, because everybody on the machine can read
// the command line.
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

/// Throws Failure.
Login login_of(const CommandLine& line);

/// With the browser, or as the client itself, or else with what an earlier --login has left. None for a server that is
/// started, and for one that gets its own Authorization header. Throws Failure.
std::shared_ptr<auth::Authoriser> authoriser_for(const Target& target, const Login& login, Console& console);

}  // namespace tenon::program
