// Performs the actions of a sign-in: fetches, the browser, the store of tokens, and functions of the host.
//
// sign_in.cpp: the store. sign_in_steps.cpp: the actions.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include <tenon/log.hpp>

#include "transport/http_client/authoriser.hpp"
#include "transport/http_client/fetch.hpp"
#include "transport/http_client/redirect_listener.hpp"
#include "transport/http_client/request_tokens.hpp"

namespace tenon {

/// Not thread-safe: use it only on the thread of the io_context.
class HttpSignIn final : public RequestTokens {
 public:
    struct Setting {
        std::shared_ptr<const HttpRoute> route;
        std::shared_ptr<const bool> seen_public;  ///< whether the server was reached at a public address
        FetchOptions fetch;
        LogNote note;
        std::function<void(bool)> user_asked;  ///< see ClientTransport::Events; may be empty
    };
    HttpSignIn(std::shared_ptr<asio::io_context> context, std::shared_ptr<auth::Authoriser> authoriser,
               Setting setting);
    ~HttpSignIn() override;

    /// Starts no more attempts, and ends one that waits for the user.
    void finish() override;

 private:
    // sign_in.cpp
    std::int64_t unix_now() const override;
    std::string random_bytes(std::size_t size) override;
    bool public_server() const override;
    void post(std::function<void()> work) override;
    void load() override;
    void lock_then(std::function<void()> then) override;
    void poll_lock(TimePoint until, std::function<void()> then);
    void save(const auth::client::Record& record) override;
    void clean_up() override;
    void note(LogLevel level, const std::string& text) override { setting_.note(level, text); }

    // sign_in_steps.cpp
    void perform(auth::client::Fetch fetch) override;
    void perform(const auth::client::Listen& listen) override;
    void perform(const auth::client::AskUser& page) override;
    void perform(const auth::client::AskAssertion& ask) override;
    void show(const auth::client::AskUser& ask);
    void show(auth::Exchange exchange, const Result<FetchResponse>& answer, Duration took) const;
    void in_background(std::function<std::string(std::stop_token)> work, std::function<void(Result<std::string>)> done);
    void user_returned(const Result<std::string>& url);

    const std::shared_ptr<asio::io_context> context_;
    const std::shared_ptr<auth::Authoriser> authoriser_;
    const Setting setting_;
    const std::string key_;  // the server's name in the store
    HttpFetcher fetcher_;
    bool loaded_ = false;
    std::shared_ptr<void> lock_;
    asio::steady_timer lock_timer_;
    asio::steady_timer user_timer_;
    std::unique_ptr<RedirectListener> listener_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
    std::jthread worker_;
};

}  // namespace tenon
