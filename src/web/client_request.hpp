// Makes a client's HTTP requests: method, target and fields, for each message and each stream.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/client_transport.hpp>

#include "web/url.hpp"

namespace tenon::web {

using OwnFields = std::vector<std::pair<std::string, std::string>>;

struct ClientRequest {
    std::string_view method = "POST";
    Url url;
    OwnFields fields = {};
    std::string body = {};
};

/// How a request gets a connection. `urgent` is for notifications, responses to the server, and the stream of a
/// session. They get a few connections above max_connections. Otherwise there could be a deadlock: the calls that hold
/// all connections may wait for exactly such a response.
enum class Urgency { normal, urgent };

/// The fields that all requests of a client have in common.
struct ClientContext {
    OwnFields fields = {};      ///< HttpClientOptions::headers
    std::string session = {};   ///< session id; empty: none
    std::string revision = {};  ///< empty before it is known
};

/// Checks the user's header fields. Refuses fields that are malformed, and fields that Tenon sets itself.
Result<void> check_fields(const OwnFields& fields);

/// Makes the POST for a message. Moves the body out of `message`.
ClientRequest post_message(const Url& url, const ClientContext& context, OutgoingMessage& message);
/// Makes the GET for a stream, from its beginning or after this event.
ClientRequest get_stream(const Url& url, const ClientContext& context, const std::string& last_event_id);
ClientRequest delete_session(const Url& url, const ClientContext& context);

/// Writes the request as bytes. For a forwarding proxy (may be null), the target is the whole URL.
std::string write_request(const ClientRequest& request, const Url* forwarding_proxy);
std::string write_connect(const Url& to, const Url& proxy);

}  // namespace tenon::web
