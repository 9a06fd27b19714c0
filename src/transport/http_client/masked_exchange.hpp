// Makes the HTTP exchanges of a sign-in safe to show: without tokens, secrets, codes and proofs.
#pragma once

#include <string>
#include <string_view>

#include <tenon/auth/client.hpp>

#include "web/client_request.hpp"

namespace tenon {

auth::Exchange masked_request(std::string_view method, const std::string& url, const web::OwnFields& fields,
                              const std::string& body);
void add_masked_response(auth::Exchange& exchange, int status, const web::OwnFields& fields, const std::string& body);

/// Returns a form (`a=b&c=d`) in which only values that are known to be harmless are left.
std::string masked_form(std::string_view form);

}  // namespace tenon
