// How the client of the suite signs in: by a browser that follows redirects and asks nobody, or as the context says.
#pragma once

#include <memory>
#include <string>

#include <tenon/auth/client.hpp>
#include <tenon/json.hpp>

/// For a scenario of the suite, by its name.
std::shared_ptr<tenon::auth::Authoriser> authoriser_for(const std::string& scenario,
                                                        const tenon::json::object& context);
