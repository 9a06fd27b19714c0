// The tokens of a client's requests: adds them, refreshes them before they expire, and signs in for new ones after a
// refusal. Connects the state machines of src/auth (ClientTokens, SignIn) with the requests that wait for tokens. One
// attempt runs at a time, even when many requests are refused at once. A derived class performs its actions:
// HttpSignIn, and the client of the simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/log.hpp>

#include "auth/client/client_tokens.hpp"
#include "auth/client/sign_in.hpp"

namespace tenon {

/// Not thread-safe.
class RequestTokens {
 public:
    using Refused = auth::client::RefusedRequest;
    using Done = std::function<void(Result<void>)>;

    RequestTokens(std::shared_ptr<const auth::client::Profile> profile, std::size_t max_step_ups);
    virtual ~RequestTokens() = default;
    RequestTokens(const RequestTokens&) = delete;
    RequestTokens& operator=(const RequestTokens&) = delete;

    /// Calls `go` at once, or after a refresh when the tokens are about to expire.
    void before_request(std::function<void()> go);
    /// Returns the header fields of one request: Authorization and, if the token is bound to a key, DPoP. A DPoP proof
    /// is valid for this one request only.
    web::OwnFields fields(std::string_view method, const web::Url& url);
    /// See ClientTokens::generation().
    std::uint64_t generation() const { return tokens_.generation(); }

    /// Returns whether signing in could help a refused request.
    bool can_help(const Refused& refused) const { return !finishing_ && tokens_.can_help(refused); }
    /// Calls `done` when the request may be sent again, or with an error. Never calls it from inside this function.
    void sign_in(const Refused& refused, Done done);
    /// Reports that the server has accepted a request with the tokens of this generation.
    void accepted(std::uint64_t generation) { tokens_.accepted(generation); }
    /// Keeps the DPoP nonce of a response for the next proofs.
    void saw_nonce(std::string nonce) { tokens_.saw_nonce(std::move(nonce)); }

    /// Starts no more attempts.
    virtual void finish() { finishing_ = true; }

 protected:
    using Action = auth::client::Action;

    // Provided by the derived class.
    virtual std::int64_t unix_now() const = 0;  ///< seconds since 1970
    virtual std::string random_bytes(std::size_t size) = 0;
    virtual bool public_server() const = 0;                         ///< see auth::client::Refusal
    virtual void post(std::function<void()> work) = 0;              ///< runs it soon; drops it when this object is gone
    virtual void load() {}                                          ///< uses stored tokens, the first time
    virtual void lock_then(std::function<void()> then) { then(); }  ///< takes the lock of the stored tokens
    virtual void save(const auth::client::Record&) {}               ///< stores the record of an attempt
    virtual void clean_up() {}  ///< after an attempt: releases the lock and the listener
    virtual void note(LogLevel level, const std::string& text) = 0;
    virtual void perform(auth::client::Fetch fetch) = 0;  ///< each calls the function of flow() that the action names
    virtual void perform(const auth::client::Listen& listen) = 0;
    virtual void perform(const auth::client::AskUser& page) = 0;
    virtual void perform(const auth::client::AskAssertion& ask) = 0;

    /// The attempt that runs now.
    auth::client::SignIn& flow() { return *flow_; }
    bool waits_for_user() const { return flow_ && flow_->phase() == auth::client::SignIn::Phase::user; }
    void act(Action action);
    /// Ends the attempt, and continues the requests that wait for it.
    void over(const Result<void>& result);

    const std::shared_ptr<const auth::client::Profile> profile_;
    auth::client::ClientTokens tokens_;

 private:
    void begin_refresh();
    void begin(const Refused& refused);
    auth::client::SignIn make_flow();
    void end(const auth::client::Ready& ready);
    void end(const auth::client::Failed& failed);

    enum class Attempt { none, refresh, sign_in };
    Attempt attempt_ = Attempt::none;
    bool finishing_ = false;
    std::vector<Done> waiters_;
    std::optional<auth::client::SignIn> flow_;
};

}  // namespace tenon
