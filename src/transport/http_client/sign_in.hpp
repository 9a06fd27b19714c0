// A connection's tokens: which ones its requests carry, and how it comes by new ones. Joins the state machine of
// src/auth to fetches, the browser, the store and the clock. However many requests are refused at once, one sign-in is
// under way.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <tenon/log.hpp>

#include "auth/client/sign_in.hpp"
#include "transport/http_client/authoriser.hpp"
#include "transport/http_client/fetch.hpp"
#include "transport/http_client/redirect_listener.hpp"

namespace tenon {

/// Seconds since 1970, as tokens count them.
std::int64_t unix_now();

/// For the thread of the io_context.
class HttpSignIn {
 public:
    struct Setting {
        std::shared_ptr<const HttpRoute> route;
        std::shared_ptr<const bool> seen_public;  ///< the server has been spoken to at a public address
        FetchOptions fetch;
        LogSink note;
        std::function<void(bool)> user_asked;  ///< may be none
    };
    HttpSignIn(std::shared_ptr<asio::io_context> context, std::shared_ptr<auth::Authoriser> authoriser,
               Setting setting);
    ~HttpSignIn();
    HttpSignIn(const HttpSignIn&) = delete;
    HttpSignIn& operator=(const HttpSignIn&) = delete;

    /// `go` at once, or when tokens that are about to expire were refreshed.
    void before_request(std::function<void()> go);
    /// What a request has to say: Authorization, and DPoP. Of each request its own.
    web::OwnFields fields(std::string_view method, const web::Url& url) const;
    /// Which tokens fields() is about; a request that was refused names those it had.
    std::uint64_t generation() const { return generation_; }

    struct Refused {
        int status = 0;
        std::vector<auth::client::Challenge> challenges = {};
        std::uint64_t generation = 0;
    };
    /// Whether signing in could help.
    bool can_help(const Refused& refused) const;
    /// `done` when the request may be sent again, or with why not. Never from within.
    void sign_in(const Refused& refused, std::function<void(Result<void>)> done);
    /// The server has taken a request with these tokens.
    void accepted(std::uint64_t generation);
    void saw_nonce(std::string nonce);

    /// No more sign-ins; one that waits for the user is given up.
    void finish();

 private:
    using Waiter = std::function<void(Result<void>)>;
    using Action = auth::client::Action;

    // http_sign_in.cpp
    void load();
    void use(auth::client::Record record);
    bool expires_within(std::int64_t seconds) const;
    bool is_new(const Refused& refused) const;
    std::optional<Error> hopeless(const Refused& refused) const;
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

    // http_sign_in_steps.cpp
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
    const std::string key_;  // of the store
    HttpFetcher fetcher_;

    auth::client::Record record_;
    std::optional<jose::PrivateKey> proof_key_;
    bool loaded_ = false;
    std::uint64_t generation_ = 0;
    std::uint64_t accepted_ = 0;  // the last generation that the server took
    std::uint64_t own_ = 0;       // the last generation that was signed in for here
    bool refreshed_ = false;      // and nobody was asked for them
    auth::client::Scopes asked_;  // scopes, since the connection began
    std::size_t step_ups_ = 0;
    std::string nonce_;  // of the server

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
