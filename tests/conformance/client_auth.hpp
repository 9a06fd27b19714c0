// How the conformance client signs in: with a browser that follows redirects without a user, or with the credentials of
// the context.
#pragma once

#include <memory>
#include <string>

#include <tenon/auth/client.hpp>
#include <tenon/json.hpp>

/// Returns the authoriser for a scenario of the suite.
std::shared_ptr<tenon::auth::Authoriser> authoriser_for(const std::string& scenario,
                                                        const tenon::json::object& context);
