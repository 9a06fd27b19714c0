// Checks the invariants of a simulated world from the outside: it sees all bytes on the network, and knows the owner of
// every secret.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "framing/http_request.hpp"
#include "simulation/network.hpp"

namespace tenon::test {

/// A secret of a client. Its text names the owner, so a foreign secret can be recognised anywhere: "zq03q5f0c…e".
struct Mark {
    static std::string make(std::size_t owner, Dice& dice);
    /// Returns the owner of the mark at the beginning of the text. Returns nullopt when there is no mark.
    static std::optional<std::size_t> owner_of(std::string_view text);
    static constexpr std::string_view prefix = "zq";
    static constexpr std::size_t size = 14;
};

class Oracle {
 public:
    static constexpr std::string_view session_prefix = "sid-";
    static constexpr std::size_t session_size = 12;  // with the prefix

    /// Looks at bytes on the network. Bytes on a connection may contain secrets of its own client only.
    void saw(const Link& link, Side from, std::string_view bytes);
    /// Registers a token: only this client may send or receive it, and only over connections to these hosts.
    void issued(const std::string& token, std::size_t owner, std::string host);

    void require(bool holds, const std::string& what) {
        if (!holds) fail(what);
    }
    /// Keeps the first failure.
    void fail(const std::string& what) {
        if (!failure_) failure_ = what;
    }
    const std::optional<std::string>& failure() const { return failure_; }

 private:
    struct Watched {
        framing::HttpRequestParser requests;
        std::array<std::string, 2> tails;  // the last bytes of each direction: a secret may be split
    };
    struct Token {
        std::size_t owner;
        std::string host;
    };

    void look_for_marks(const Link& link, std::string_view text);
    void look_for_sessions(const Link& link, Side from, std::string_view text);
    void look_for_tokens(const Link& link, std::string_view text);
    void look_at_requests(const Link& link, Watched& watched, std::string_view bytes);
    void look_at_head(const Link& link, const framing::HttpRequest& head);

    std::map<std::size_t, Watched> watched_;            // by the number of the link
    std::map<std::string, std::size_t> sessions_;       // the owner of each session id
    std::map<std::string, Token, std::less<>> tokens_;  // by the token
    std::optional<std::string> failure_;
};

}  // namespace tenon::test
