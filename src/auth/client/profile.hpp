// The options for signing in to one server. Not changed after construction.
#pragma once

#include <optional>
#include <string>

#include "auth/scopes.hpp"
#include "jose/key.hpp"
#include "web/url.hpp"

namespace tenon::auth::client {

struct Profile {
    enum class Kind {
        user,                ///< a user signs in with a browser (authorisation code, PKCE)
        client_credentials,  ///< the client itself is authorised, without a user
        enterprise,          ///< an ID token of the company, exchanged twice (ID-JAG)
        workload,            ///< a token of the platform that the client runs on (JWT bearer)
    };
    enum class Dpop { when_asked, always, never };

    Kind kind = Kind::user;
    web::Url server = {};
    bool interactive = true;  ///< whether the user may be asked to sign in

    std::string client_name = {};
    std::string client_uri = {};
    std::string client_id = {};  ///< registered beforehand; empty: none
    std::string client_secret = {};
    std::optional<jose::PrivateKey> client_key = {};
    std::string client_metadata_url = {};  ///< a client id metadata document; empty: none
    std::string issuer = {};               ///< the only authorisation server that is used; empty: any

    Scopes scopes = {};  ///< requested in addition to the scopes that the server names
    bool resource_indicator = true;
    bool offline_access = true;
    Dpop dpop = Dpop::when_asked;

    // For Kind::enterprise: the company's identity provider. One of the first two is required.
    std::string idp_issuer = {};
    std::string idp_token_endpoint = {};
    std::string idp_client_id = {};
    std::string idp_client_secret = {};
};

}  // namespace tenon::auth::client
