// A client's requests on their way through authorisation: each gets its tokens, and one that is refused for want of
// them is sent again when the client has signed in. Without an authoriser they pass as they are.
#pragma once

#include <memory>

#include "transport/http_client/calls.hpp"
#include "transport/http_client/sign_in.hpp"

namespace tenon {

inline constexpr std::size_t max_authorised_tries = 4;  ///< of one request: signed in, with a nonce, with more rights

/// For the thread of the io_context.
class AuthorisedCalls {
 public:
    /// One request, however often it is sent. Has the events of an HttpCall, once.
    class Call : public std::enable_shared_from_this<Call> {
     public:
        Call(AuthorisedCalls& gate, web::ClientRequest request, HttpCall::Events events, HttpCalls::Urgency urgency);
        void start();
        /// No event comes any more.
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
        std::uint64_t generation_ = 0;                // of the tokens that it was sent with
        std::optional<HttpSignIn::Refused> refused_;  // the answer is not for the user of the call
        std::size_t swallowed_ = 0;
        bool over_ = false;
    };

    AuthorisedCalls(HttpCalls& calls, std::unique_ptr<HttpSignIn> sign_in)
        : calls_(calls), sign_in_(std::move(sign_in)) {}

    std::shared_ptr<Call> start(web::ClientRequest request, HttpCall::Events events,
                                HttpCalls::Urgency urgency = HttpCalls::Urgency::call);
    /// Nobody is asked to sign in any more.
    void finish();

 private:
    HttpCalls& calls_;
    const std::unique_ptr<HttpSignIn> sign_in_;  // may be none
};

}  // namespace tenon
