// Manages the tokens of one client transport: adds them to requests, refreshes them, and signs in for new ones.
// Connects the state machines of src/auth (ClientTokens, SignIn) with fetches, the browser, the store and the clock.
// Only one sign-in runs at a time, even when many requests are refused at once.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <tenon/log.hpp>

#include "auth/client/client_tokens.hpp"
#include "auth/client/sign_in.hpp"
#include "transport/http_client/authoriser.hpp"
#include "transport/http_client/fetch.hpp"
#include "transport/http_client/redirect_listener.hpp"

namespace tenon {

/// Returns the seconds since 1970, the time format of tokens.
std::int64_t unix_now();

/// Not thread-safe: use it only on the thread of the io_context.
class HttpSignIn {
 public:
    struct Setting {
        std::shared_ptr<const HttpRoute> route;
        std::shared_ptr<const bool> seen_public;  ///< whether the server was reached at a public address
        FetchOptions fetch;
        LogSink note;
        std::function<void(bool)> user_asked;  ///< see ClientTransport::Events; may be empty
    };
    HttpSignIn(std::shared_ptr<asio::io_context> context, std::shared_ptr<auth::Authoriser> authoriser,
               Setting setting);
    ~HttpSignIn();
    HttpSignIn(const HttpSignIn&) = delete;
    HttpSignIn& operator=(const HttpSignIn&) = delete;

    /// Calls `go` at once, or after a refresh when the tokens are about to expire.
    void before_request(std::function<void()> go);
    /// Returns the header fields of one request: Authorization and, if the token is bound to a key, DPoP. A DPoP proof
    /// is valid for this one request only.
    web::OwnFields fields(std::string_view method, const web::Url& url) const;
    /// See ClientTokens::generation().
    std::uint64_t generation() const { return tokens_.generation(); }

    using Refused = auth::client::RefusedRequest;
    /// Returns whether signing in could help a refused request.
    bool can_help(const Refused& refused) const { return !finishing_ && tokens_.can_help(refused); }
    /// Calls `done` when the request may be sent again, or with an error. Never calls it from inside this function.
    void sign_in(const Refused& refused, std::function<void(Result<void>)> done);
    /// Tells that the server has accepted a request with the tokens of this generation.
    void accepted(std::uint64_t generation) { tokens_.accepted(generation); }
    /// Keeps the DPoP nonce of a response for the next proofs.
    void saw_nonce(std::string nonce) { tokens_.saw_nonce(std::move(nonce)); }

    /// Starts no more sign-ins, and ends one that waits for the user.
    void finish();

 private:
    using Waiter = std::function<void(Result<void>)>;
    using Action = auth::client::Action;

    // sign_in.cpp
    void load();
    bool public_server() const;
    void lock_then(std::function<void()> then);
    void poll_lock(TimePoint until, std::function<void()> then);
    void begin(const Refused& refused);
    void begin_refresh();
    auth::client::SignIn make_flow() const;
    void save();
    void on(const auth::client::Ready&);
    void on(const auth::client::Failed& failed);
    void over(const Result<void>& result);

    // sign_in_steps.cpp
    void act(Action action);
    void on(auth::client::Fetch fetch);
    void on(const auth::client::Listen& listen);
    void on(const auth::client::AskUser& page);
    void on(const auth::client::AskAssertion& ask);
    void in_background(std::function<std::string(std::stop_token)> work, std::function<void(Result<std::string>)> done);
    void came_back(const Result<std::string>& url);

    const std::shared_ptr<asio::io_context> context_;
    const std::shared_ptr<auth::Authoriser> authoriser_;
    const std::shared_ptr<const auth::client::Profile> profile_;
    const Setting setting_;
    const std::string key_;  // the server's name in the store
    HttpFetcher fetcher_;

    auth::client::ClientTokens tokens_;
    bool loaded_ = false;

    std::vector<Waiter> waiters_;
    bool running_ = false;
    bool refreshing_ = false;
    bool finishing_ = false;
    bool waiting_for_user_ = false;
    std::optional<auth::client::SignIn> flow_;
    std::shared_ptr<void> lock_;
    asio::steady_timer lock_timer_;
    asio::steady_timer user_timer_;
    std::unique_ptr<RedirectListener> listener_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
    std::jthread worker_;
};

}  // namespace tenon
