// The header fields of a tap over HTTP: which are passed on, and how they are shown. Pure.
#pragma once

#include <string>
#include <string_view>

#include <tenon/json.hpp>

#include "framing/http_fields.hpp"
#include "web/client_request.hpp"

namespace tenon::inspect {

/// Returns the fields that a client's request has for the server. Fields of one connection, such as Host, are left out.
/// Those of `own` replace fields of the client.
web::OwnFields request_fields(const framing::HttpFields& from_client, const web::OwnFields& own);
/// Returns the fields of the server's response for the client.
web::OwnFields response_fields(const framing::HttpFields& from_server);
/// Makes the fields that repeat a part of the message (2026-07-28) say what a changed message says.
void repeat_message(web::OwnFields& fields, const json::value& message);
/// Returns the value of the first field with this name, ignoring case. Empty when it is missing.
std::string field_value(const web::OwnFields& fields, std::string_view name);

/// Returns the fields to show. Secrets, and all values of `own`, are `***`.
json::object shown_fields(const web::OwnFields& fields, const web::OwnFields& own);

}  // namespace tenon::inspect
