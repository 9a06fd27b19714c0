// Access: decides which HTTP requests the inspector answers. A web page of another site, a program on another port and
// a reused link are refused. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framing/http_request.hpp"

namespace tenon::inspect {

/// The secrets of one run. Each has at least 128 random bits, as text.
struct Secrets {
    std::string token;   ///< in the link that is printed; works once
    std::string cookie;  ///< proves that the browser opened the link
    std::string key;     ///< in the page; proves that a request comes from its scripts
};

/// Judges requests by their head, so a refused body is never read. Not thread-safe.
class Access {
 public:
    Access(Secrets secrets, std::uint16_t port);

    enum class Kind {
        enter,  ///< the link was opened for the first time: set the cookie
        file,   ///< a file of the page
        api,    ///< a command, or the stream of events
        refused,
    };
    struct Verdict {
        Kind kind = Kind::refused;
        int status = 403;
        std::string why = {};  ///< a sentence for the user; only when refused
    };
    Verdict judge(const framing::HttpRequest& request);

    /// Returns the value of Set-Cookie.
    std::string cookie_field() const;

 private:
    std::string foreign(const framing::HttpRequest& request) const;
    bool has_cookie(const framing::HttpRequest& request) const;
    Verdict enter(std::string_view token);

    const Secrets secrets_;
    const std::string own_ip_, own_name_;  // as in Host
    bool entered_ = false;
};

/// Returns the value of a parameter of a query, undecoded. Empty when it is missing.
std::string_view query_value(std::string_view query, std::string_view name);

}  // namespace tenon::inspect
