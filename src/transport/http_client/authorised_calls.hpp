// Adds authorisation to a client's HTTP requests. Each request carries the current token. A request that is refused for
// lack of a valid token is sent again after the client has signed in. Without an authoriser, requests pass unchanged.
#pragma once

#include <memory>

#include "transport/http_client/calls.hpp"
#include "transport/http_client/sign_in.hpp"

namespace tenon {

/// How often one request is sent at most: at first, after signing in, with a nonce, and with more scopes.
inline constexpr std::size_t max_authorised_tries = 4;

/// Starts requests that may need a sign-in. Not thread-safe: use it only on the thread of the io_context.
class AuthorisedCalls {
 public:
    /// One request, which may be sent several times. Its user gets the events of only one response, as of an HttpCall.
    class Call : public std::enable_shared_from_this<Call> {
     public:
        Call(AuthorisedCalls& gate, web::ClientRequest request, HttpCall::Events events, HttpCalls::Urgency urgency);
        void start();
        /// Stops the request. No event follows.
        void abort();

     private:
        void send();
        void on_head(const framing::HttpResponse& head);
        void on_piece(std::string_view bytes);
        void on_end();
        void ask_for_tokens();

        AuthorisedCalls& gate_;
        web::ClientRequest request_;
        HttpCall::Events events_;
        const HttpCalls::Urgency urgency_;
        std::shared_ptr<HttpCall> call_;
        std::size_t tries_ = 0;
        std::uint64_t generation_ = 0;                // of the tokens that the request carried
        std::optional<HttpSignIn::Refused> refused_;  // set while the response is a refusal that the user does not see
        std::size_t swallowed_ = 0;
        bool over_ = false;
    };

    AuthorisedCalls(HttpCalls& calls, std::unique_ptr<HttpSignIn> sign_in)
        : calls_(calls), sign_in_(std::move(sign_in)) {}

    std::shared_ptr<Call> start(web::ClientRequest request, HttpCall::Events events,
                                HttpCalls::Urgency urgency = HttpCalls::Urgency::call);
    /// Starts no more sign-ins.
    void finish();

 private:
    HttpCalls& calls_;
    const std::unique_ptr<HttpSignIn> sign_in_;  // may be null
};

}  // namespace tenon
