// The messages of JSON-RPC 2.0, as the codec decodes them.
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

/// An invalid message that must be answered with an error response. `id` is set when it could be read.
struct Invalid {
    std::optional<Id> id;
    Error error;
};

/// An invalid message that must not be answered, for example a notification or a response. It is only logged.
struct Ignored {
    std::string why;
};

using Message = std::variant<Request, Notification, Response, Invalid, Ignored>;

using Messages = boost::container::small_vector<Message, 1>;

/// The content of one line or one HTTP body: one message, or a batch.
struct Incoming {
    std::shared_ptr<json::Arena> memory = {};  ///< holds the parameters; null unless decode_in_arena() was used
    Messages messages = {};
    bool batch = false;
    std::size_t bytes = 0;  ///< of the text
};

}  // namespace tenon::jsonrpc
