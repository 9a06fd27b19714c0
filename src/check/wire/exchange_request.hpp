// The requests of HTTP that a conversation makes of its messages.
#pragma once

#include <string>

#include "check/wire/conversation.hpp"

namespace tenon::check {

/// A message as a POST, with the headers that its revision wants.
web::ClientRequest post_of(const Conversation& talk, std::string body, const Asked& asked);

}  // namespace tenon::check
