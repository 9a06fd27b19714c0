// Makes HTTP requests from the messages of a conversation.
#pragma once

#include <string>

#include "check/wire/conversation.hpp"

namespace tenon::check {

/// Returns a POST with the message as its body and the headers that the revision requires.
web::ClientRequest post_of(const Conversation& talk, std::string body, const Sent& sent);

}  // namespace tenon::check
