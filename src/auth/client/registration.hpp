// Dynamic registration of the client at an authorisation server (RFC 7591): the body of the request, and its response.
#pragma once

#include "auth/client/identity.hpp"

namespace tenon::auth::client {

struct RegistrationParameters {
    std::string client_name = {};
    std::string client_uri = {};
    std::string redirect_uri = {};
    bool dpop = false;
};
/// Returns the body of a registration request.
std::string write_registration(const RegistrationParameters& parameters, const Issuer& issuer);
Result<Identity> read_registration(int status, std::string_view body, const RegistrationParameters& parameters,
                                   const Issuer& issuer);

}  // namespace tenon::auth::client
