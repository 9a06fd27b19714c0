// What a client's HTTP requests say: their method, target and fields, for each message and each stream.
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

/// What every request of a client says.
struct ClientContext {
    OwnFields fields = {};      ///< the user's
    std::string session = {};   ///< empty: none
    std::string revision = {};  ///< empty before it is known
};

/// Nothing wrong with it: no header may break the request, nor say what is Tenon's to say.
Result<void> check_fields(const OwnFields& fields);

/// One message, as a POST. Takes the body.
ClientRequest post_message(const Url& url, const ClientContext& context, OutgoingMessage& message);
/// A stream of the server, from the beginning or after this event.
ClientRequest get_stream(const Url& url, const ClientContext& context, const std::string& last_event_id);
ClientRequest delete_session(const Url& url, const ClientContext& context);

/// The bytes of it. To a proxy that forwards, the target is the whole URL.
std::string write_request(const ClientRequest& request, const Url* forwarding_proxy);
std::string write_connect(const Url& to, const Url& proxy);

}  // namespace tenon::web
