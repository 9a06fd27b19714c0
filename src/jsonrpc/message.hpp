// The messages of JSON-RPC 2.0, as they come out of the codec.
#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include <tenon/json.hpp>

#include "json/arena.hpp"
#include "jsonrpc/id.hpp"

namespace tenon::jsonrpc {

struct Request {
    Id id;
    std::string method;
    json::object params;
};

struct Notification {
    std::string method;
    json::object params;
};

struct Response {
    Id id;
    Result<json::value> outcome;
};

/// Not a message, and its sender must be told so: an error response, with the id when it could be read.
struct Invalid {
    std::optional<Id> id;
    Error error;
};

/// Not a message, but nobody waits for an answer to it: a line in the log.
struct Ignored {
    std::string why;
};

using Message = std::variant<Request, Notification, Response, Invalid, Ignored>;

using Messages = boost::container::small_vector<Message, 1>;

/// What one line or one HTTP body held: one message, or a batch of them.
struct Incoming {
    std::shared_ptr<json::Arena> memory = {};  ///< of the parameters in it, when it was decoded into one
    Messages messages = {};
    bool batch = false;
};

}  // namespace tenon::jsonrpc
